"""What converted code calls at run time: Python's own semantics, or a staging's.

Each module says in its ``__all__`` what of it is found here.
"""

# ruff: noqa: F403

from agir.autograph.operators import matching as matching
from agir.autograph.operators.asserts import *
from agir.autograph.operators.calls import *
from agir.autograph.operators.comparisons import *
from agir.autograph.operators.comprehensions import *
from agir.autograph.operators.conditionals import *
from agir.autograph.operators.effects import *
from agir.autograph.operators.exceptions import *
from agir.autograph.operators.generators import *
from agir.autograph.operators.handlers import *
from agir.autograph.operators.logical import *
from agir.autograph.operators.loops import *
from agir.autograph.operators.matching import *
from agir.autograph.operators.objects import *
from agir.autograph.operators.outer import *
from agir.autograph.operators.overloads import *
from agir.autograph.operators.places import *
from agir.autograph.operators.staging import *
from agir.autograph.operators.strings import *
from agir.autograph.operators.undefined import *
from agir.autograph.operators.variables import *
from agir.autograph.operators.with_statements import *
