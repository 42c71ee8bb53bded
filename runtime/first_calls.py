"""Whether a call is the first one, which may create variables: of a function, or of an instance."""

from __future__ import annotations

import weakref
from typing import Any


class FirstCalls:
    """The instances, or for a plain function whether at all, for which a trace has been made."""

    def __init__(self) -> None:
        self.of_methods = False
        """Whether the function is a method: then each instance has a first call."""
        self._begun = False
        self._instances: weakref.WeakValueDictionary[int, Any] = weakref.WeakValueDictionary()

    def is_first(self, arguments: dict[str, Any]) -> bool:
        """Whether nothing has been traced yet for the instance of these bound arguments."""
        instance = self._instance(arguments)
        if instance is None:
            return not self._begun
        return self._instances.get(id(instance)) is not instance

    def note(self, arguments: dict[str, Any]) -> None:
        """A trace has been made."""
        instance = self._instance(arguments)
        if instance is None:
            self._begun = True
        else:
            self._instances[id(instance)] = instance

    def _instance(self, arguments: dict[str, Any]) -> Any:
        """The instance, if it can be referred to weakly."""
        instance = next(iter(arguments.values()), None) if self.of_methods else None
        return instance if hasattr(type(instance), "__weakref__") else None
