"""The classes of decorated functions, for ``isinstance`` and annotations."""

from agir.runtime.function import ConcreteFunction as ConcreteFunction
from agir.runtime.function import GenericFunction as GenericFunction
