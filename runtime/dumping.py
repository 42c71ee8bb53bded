"""``AGIR_DUMP_DIR``: every compilation writes its stages to numbered files."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from agir.config import config
from agir.errors import UnsupportedOperation

if TYPE_CHECKING:
    from agir.backends.stages import Compilation, Stage


def dump(compilation: Compilation, name: str, source: Callable[[], str]) -> None:
    """Write every stage of the compilation under ``config.dump_dir``, where that is set."""
    if not config.dump_dir:
        return
    from agir.backends.stages import STAGES

    os.makedirs(config.dump_dir, exist_ok=True)
    folder = Path(tempfile.mkdtemp(prefix=f"{name}-", dir=config.dump_dir))
    for stage in STAGES.values():
        try:
            content = source() if stage.name == "autograph" else compilation.text(stage.name)
        except UnsupportedOperation:
            continue  # not every program has this stage
        (folder / file_name(stage)).write_bytes(
            content if isinstance(content, bytes) else str(content).encode()
        )


def file_name(stage: Stage) -> str:
    """The file that a stage is written to: ``03.optimized_hlo.mlir``, by its row in the table."""
    from agir.backends.stages import STAGES

    return f"{list(STAGES).index(stage.name) + 1:02}.{stage.name}{stage.extension}"
