"""The variables that the functions made of blocks share: declarations, and the `State` of a statement.

What a block assigns to is declared `nonlocal` (or `global`) in its function; a pair of functions
gets and sets all that the statement carries.
"""

from __future__ import annotations

from collections.abc import Container
from typing import Any

from agir.autograph.converters.common.context import Context
from agir.autograph.converters.common.variables import initialise
from agir.autograph.converters.generators import emitter
from agir.autograph.pyct.analysis import Analysis
from agir.autograph.pyct.templates import call, constant, expression, keyword, name, names, replace

STATE = """
def get_():
    return values_
def set_(new_):
    global globals_
    nonlocal shared_
    targets_ = new_
"""


def state_functions(
    context: Context, origin: Any, variables: tuple[str, ...], globals_: Container[str]
) -> tuple[list[Any], Any]:
    """The functions that get and set variables, and the `State` of the two."""
    getter, setter = context.function("get_state"), context.function("set_state")
    functions = replace(
        STATE,
        origin,
        get_=getter,
        values_=names(variables, origin),
        set_=setter,
        new_=context.new_values,
        globals_=tuple(each for each in variables if each in globals_),
        shared_=tuple(each for each in variables if each not in globals_),
        targets_=variables,
    )
    state = call(f"{context.operators}.State", origin, name(getter, origin), name(setter, origin))
    state.args.append(constant(variables, origin))
    return functions, state


class SharedVariables:
    """The variables of one function, as its blocks share them.

    `value` is the variable that holds what the function returns, if there is one.
    `shares_undefined` says whether the variables of others that it assigns to are those of
    converted functions.
    """

    def __init__(
        self, analysis: Analysis, context: Context, value: str | None, shares_undefined: bool
    ) -> None:
        self.analysis = analysis
        self.context = context
        self.value = value
        self.shares_undefined = shares_undefined

    def operator(self, text: str, origin: Any) -> Any:
        """An operator of the package."""
        return expression(f"ag_.{text}", origin, ag_=self.context.operators)

    def initialise(self, stmt: Any) -> list[Any]:
        """Stand-ins for the variables of a statement that may have no value before it."""
        unbound = self.analysis.unbound_before(stmt)
        return [self.undefined(each, stmt) for each in unbound]

    def start_iteration(self, stmt: Any, others: set[str], span: range) -> list[Any]:
        """Stand-ins for the variables that each iteration of a loop has for itself.

        The statements in its body get and set them before they have a value.
        """
        inner = self.analysis.modified(span).intersection(self.analysis.at_start())
        own = sorted((inner - others).union(self.analysis.unset_in(span, others)))
        return [self.undefined(each, stmt) for each in own]

    def begin(self, origin: Any, state: tuple[str, ...], span: range) -> list[Any]:
        """The declarations of a block, and stand-ins for the variables that it has for itself."""
        own = self.analysis.unset_in(span, state)
        stand_ins = [self.undefined(each, origin) for each in own]
        return [*self.declare(origin, state, span), *stand_ins]

    def undefined(self, each: str, origin: Any) -> Any:
        """The assignment that gives a variable its stand-in."""
        kind = "UndefinedReturn" if each == self.value else "Undefined"
        return initialise(each, origin, self.context, kind)

    def fill(
        self, template: str, stmt: Any, state: tuple[str, ...], **replacements: Any
    ) -> list[Any]:
        """A template of a statement, with its state."""
        functions, value = self.state(stmt, state)
        return replace(
            template,
            stmt,
            ag_=self.context.operators,
            state_=functions,
            stateof_=value,
            **replacements,
        )

    def declare(self, origin: Any, state: tuple[str, ...], span: range) -> list[Any]:
        """The declarations of the variables that a function shares."""
        modified = self.analysis.modified(span)
        return self._declarations(origin, tuple(each for each in state if each in modified))

    def _declarations(self, origin: Any, shared: tuple[str, ...]) -> list[Any]:
        outermost = tuple(each for each in shared if each in self.analysis.scope.globals)
        others = tuple(each for each in shared if each not in outermost)
        out = replace("global names_", origin, names_=outermost)
        return out + replace("nonlocal names_", origin, names_=others)

    def state(self, stmt: Any, state: tuple[str, ...]) -> tuple[list[Any], Any]:
        """The functions that get and set the variables, and the `State` of the two."""
        functions, value = self._own_state(stmt, state)
        emit = emitter(stmt, self.context)
        return functions, value if emit is None else call(f"{emit}.around", stmt, value)

    def _own_state(self, stmt: Any, state: tuple[str, ...]) -> tuple[list[Any], Any]:
        if not state:
            return [], self.operator("no_state", stmt)
        functions, value = state_functions(self.context, stmt, state, self.analysis.scope.globals)
        self._read_free(functions[0].body[0].value.elts, state, stmt)
        functions[1].body += self._unbind(stmt, state)
        if kept := self.analysis.kept(stmt):
            value.keywords.append(keyword("keep", constant(kept, stmt)))
        return functions, value

    def _read_free(self, values: list[Any], state: tuple[str, ...], stmt: Any) -> None:
        """Variables of others are read where they may have no value."""
        for index, each in enumerate(state):
            if each in self.analysis.scope.outer:
                values[index] = expression(
                    "ag_.ldu(lambda: x_, text_)",
                    stmt,
                    ag_=self.context.operators,
                    x_=each,
                    text_=constant(each, stmt),
                )

    def _unbind(self, stmt: Any, state: tuple[str, ...]) -> list[Any]:
        """Variables of others must not be left holding an `Undefined`."""
        out: list[Any] = []
        others = self.analysis.scope.globals if self.shares_undefined else self.analysis.scope.outer
        for each in state:
            if each in others:
                code = "if ag_.is_undefined(x_):\n    del x_"
                out += replace(code, stmt, ag_=self.context.operators, x_=each)
        return out
