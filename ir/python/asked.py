"""What Python asks of a value: refused while it is symbolic, answered by the tensor that it is else."""

from __future__ import annotations

from typing import Any

from agir.ir.tensors.symbolic import SymbolicTensor


class Asked(SymbolicTensor):
    """A tensor that is symbolic at times, and at others has a value."""

    __slots__ = ()

    def _tensor(self) -> Any:
        """The value, while there is one."""
        raise NotImplementedError

    def read_value(self) -> Any:
        """The value as a tensor of its own, symbolic or not."""
        raise NotImplementedError

    def __bool__(self) -> bool:
        return super().__bool__() if self.is_symbolic else bool(self._tensor())

    def __int__(self) -> int:
        return super().__int__() if self.is_symbolic else int(self._tensor())

    def __float__(self) -> float:
        return super().__float__() if self.is_symbolic else float(self.numpy())

    def __complex__(self) -> complex:
        return super().__complex__() if self.is_symbolic else complex(self.numpy())

    def __index__(self) -> int:
        return super().__index__() if self.is_symbolic else int(self._tensor().__index__())

    def __len__(self) -> int:
        return super().__len__() if self.is_symbolic else len(self._tensor())

    def __iter__(self) -> Any:
        return iter(self.read_value())

    def __array__(self, dtype: Any = None, copy: Any = None) -> Any:
        if self.is_symbolic:
            return super().__array__(dtype, copy)
        return self._tensor().__array__(dtype, copy)

    def __dlpack__(self, **options: Any) -> Any:
        return self._tensor().__dlpack__(**options)

    def __dlpack_device__(self) -> tuple[int, int]:
        return (1, 0)

    def __format__(self, spec: str) -> str:
        return super().__format__(spec) if self.is_symbolic else format(self._tensor(), spec)

    def __str__(self) -> str:
        return super().__str__() if self.is_symbolic else repr(self)
