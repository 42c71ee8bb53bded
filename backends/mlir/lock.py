"""One compilation at a time: MLIR's passes and LLVM's code generator share one context."""

from __future__ import annotations

import threading

compiling = threading.RLock()
