"""The machine code of a call: the same for every compiled function, it follows their recipes.

``agir_call_generic(self, arguments, count, names)`` is what CPython calls for ``f(x, y=z)``.  It goes
through the recipes of the function until one fits, makes the call and gives the result.  For anything
that no recipe is for it calls Python's function with the same arguments.
"""

from __future__ import annotations

from agir.backends.cpu.native import objects
from agir.backends.cpu.native.giving import Giving, free_capsule, release
from agir.backends.cpu.native.matching import Matching, memory
from agir.backends.cpu.native.tables import LEAVES, Node, Recipe, State
from agir.backends.cpu.native.words import Code, Label, Word

STATE, BEGIN = "agir_state", "agir_begin"
BY_PYTHON = ("agir_call_generic", "agir_call_concrete", "agir_call_bound", "agir_get")
"""What CPython calls, for the ``__call__`` of three classes and for one ``__get__``."""

CALLED = ("self", "arguments", "count", "names")
_STATE = f"llvm.mlir.global internal @{STATE}(0 : i64) {{addr_space = 0 : i32}} : i64\n"


def text() -> str:
    """The module."""
    functions = (
        release(),
        free_capsule(),
        _overlaps(),
        _follow(),
        _long_way(),
        _choose(),
        _call("agir_call_generic", State.GENERIC_RECIPES, State.GENERIC),
        _call("agir_call_concrete", State.CONCRETE_RECIPES, State.CONCRETE),
        _bound(),
        _get(),
        _addresses(),
    )
    return _STATE + "".join(function.text() for function in functions)


def _addresses() -> Code:
    """Takes the state's address; leaves those of the functions in the words behind it."""
    code = Code(BEGIN, ("state", "addresses"), result=False)
    code.line("%here = llvm.mlir.addressof @agir_state : !llvm.ptr")
    code.line(f"llvm.store {code.arguments[0].name}, %here : i64, !llvm.ptr")
    for n, name in enumerate(BY_PYTHON):
        code.store(code.address(name), code.arguments[1], 8 * n)
    code.give()
    return code


def _call(symbol: str, recipes: State, fallback: State) -> Code:
    """What CPython calls."""
    code = Code(symbol, CALLED)
    item, arguments, count, names = code.arguments
    state = code.static(STATE)
    python, known = code.load(state, fallback.offset), code.load(state, recipes.offset)
    code.give(code.call("agir_call", python, known, item, arguments, count, names))
    return code


def _choose() -> Code:
    """The first recipe that fits is followed."""
    code = Code("agir_call", ("python", "recipes", *CALLED))
    python, recipes, item, arguments, count, names = code.arguments
    state = code.static(STATE)
    long_way = code.label()
    code.jump_if(code.load(code.load(state, State.BYPASS.offset)).is_not(0), long_way)
    known = code.load(item, recipes)
    code.jump_if(known.is_(0), long_way)
    tuples = code.load(state, State.TUPLE.offset)
    code.jump_if(code.load(known, objects.TYPE).is_not(tuples), long_way)
    found = memory(code)
    with code.repeat(code.load(known, objects.SIZE)) as n:
        entry = code.load(known + n * 8, objects.TUPLE_ITEMS)
        recipe = code.load(code.load(entry, objects.TUPLE_ITEMS), objects.DATA)
        other = code.label()
        matching = Matching(code, state, recipe, found, other)
        matching.form(count, names)
        matching.stack()
        code.jump_if(code.load(recipe, Recipe.BUSY.offset).is_not(0), long_way)
        matching.nodes(arguments)
        with code.when(code.load(recipe, Recipe.IS_APART.offset).is_not(0)):
            apart = code.call(
                code.load(state, State.ARE_APART.offset), state, recipe, found.objects
            )
            code.jump_if(apart.is_(0), other)
        with code.when(code.load(recipe, Recipe.CHECKS_OVERLAP.offset).is_not(0)):
            shared = code.call("agir_overlaps", recipe, found.arrays, found.sizes)
            code.jump_if(shared.is_not(0), long_way)
        made = code.call("agir_follow", state, entry, recipe, found.objects, found.arrays)
        again = code.load(state, State.AGAIN.offset)
        with code.when(made.is_(again)):
            code.run(code.load(state, State.DECREF.offset), again)
            code.jump(long_way)
        code.give(made)
        code.put(other)
    code.put(long_way)
    code.give(code.call("agir_long_way", python, item, arguments, count, names))
    return code


def _long_way() -> Code:
    """Calls a function of Python's as a method of the object."""
    code = Code("agir_long_way", ("function", *CALLED))
    function, item, arguments, count, names = code.arguments
    state = code.static(STATE)
    method = code.call(code.load(state, State.NEW_METHOD.offset), function, item)
    with code.when(method.is_(0)):
        code.give(0)
    call = code.load(state, State.VECTORCALL.offset)
    result = code.call(call, method, arguments, count, names)
    code.run(code.load(state, State.DECREF.offset), method)
    code.give(result)
    return code


def _bound() -> Code:
    """The call of a bound method: that of its function."""
    code = Code("agir_call_bound", CALLED)
    item, arguments, count, names = code.arguments
    state = code.static(STATE)
    long_way = code.label()
    own = code.load(item, code.load(state, State.METHOD_OWN.offset))
    code.jump_if(own.is_(0), long_way)
    function = code.load(state, State.FUNCTION.offset)
    code.jump_if(code.load(own, objects.TYPE).is_not(function), long_way)
    code.run(code.load(state, State.INCREF.offset), own)
    result = code.call("agir_call_generic", own, arguments, count, names)
    code.run(code.load(state, State.DECREF.offset), own)
    code.give(result)
    code.put(long_way)
    python = code.load(state, State.BOUND.offset)
    code.give(code.call("agir_long_way", python, item, arguments, count, names))
    return code


def _get() -> Code:
    """The method that an attribute is: of an object that is known, a new one of its function."""
    code = Code("agir_get", CALLED)
    item, arguments, count, names = code.arguments
    state = code.static(STATE)
    long_way = code.label()
    code.jump_if(count.is_not(2), long_way)
    code.jump_if(names.is_not(0), long_way)
    instance = code.load(arguments)
    own = _own_function(code, state, item, instance, long_way)
    kind, method = code.load(state, State.METHOD.offset), code.array(1)
    code.store(kind, method)
    call = code.load(state, State.VECTORCALL.offset)
    made = code.call(call, code.load(state, State.NEW.offset), method, 1, 0)
    with code.when(made.is_(0)):
        code.give(0)
    held = ((State.METHOD_FUNCTION, item), (State.METHOD_SELF, instance), (State.METHOD_OWN, own))
    for slot, value in held:
        code.run(code.load(state, State.INCREF.offset), value)
        code.store(value, made, code.load(state, slot.offset))
    code.give(made)
    code.put(long_way)
    python = code.load(state, State.GET.offset)
    code.give(code.call("agir_long_way", python, item, arguments, count, names))
    return code


def _own_function(code: Code, state: Word, item: Word, instance: Word, unknown: Label) -> Word:
    """The function that a function has for an object: by the number that the object is."""
    methods = code.load(item, code.load(state, State.METHODS.offset))
    code.jump_if(methods.is_(0), unknown)
    code.jump_if(
        code.load(methods, objects.TYPE).is_not(code.load(state, State.DICT.offset)), unknown
    )
    key = code.call(code.load(state, State.NEW_INT.offset), instance)
    with code.when(key.is_(0)):
        code.run(code.load(state, State.CLEAR_ERROR.offset))
        code.jump(unknown)
    entry = code.call(code.load(state, State.DICT_ITEM.offset), methods, key)
    code.run(code.load(state, State.DECREF.offset), key)
    code.jump_if(entry.is_(0), unknown)
    reference = code.load(entry, objects.TUPLE_ITEMS)
    code.jump_if(code.load(reference, objects.REFERENT).is_not(instance), unknown)
    own = code.load(entry, objects.TUPLE_ITEMS + 8)
    function = code.load(state, State.FUNCTION.offset)
    code.jump_if(code.load(own, objects.TYPE).is_not(function), unknown)
    return own


def _overlaps() -> Code:
    """Whether an array that is written to may share memory with another one."""
    code = Code("agir_overlaps", ("recipe", "arrays", "sizes"))
    recipe, arrays, sizes = code.arguments
    nodes = code.load(recipe, Recipe.NODES.offset)
    count = code.load(recipe, Recipe.NODE_COUNT.offset)
    yes = code.label()
    with code.repeat(count) as n:
        node, array = nodes + n * (8 * len(Node)), code.load(arrays + n * 8)
        following = code.label()
        code.jump_if(code.load(node, Node.WRITTEN.offset).is_(0), following)
        begin = code.load(array, objects.DATA)
        end = begin + code.load(sizes + n * 8)
        with code.repeat(count) as m:
            other, distinct = code.load(arrays + m * 8), code.label()
            code.jump_if(n.is_(m), distinct)
            code.jump_if(other.is_(0), distinct)
            start = code.load(other, objects.DATA)
            code.jump_if(code.compare("ule", end, start), distinct)
            code.jump_if(code.compare("ule", start + code.load(sizes + m * 8), begin), distinct)
            code.jump(yes)
            code.put(distinct)
        code.put(following)
    code.give(0)
    code.put(yes)
    code.give(1)
    return code


def _follow() -> Code:
    """Make the call, and its result."""
    code = Code("agir_follow", ("state", "entry", "recipe", "items", "arrays"))
    state, entry, recipe, items, arrays = code.arguments
    made = code.array(LEAVES)
    code.store(1, recipe, Recipe.BUSY.offset)
    code.store(code.load(recipe, Recipe.CALLS.offset) + 1, recipe, Recipe.CALLS.offset)
    code.run(code.load(state, State.INCREF.offset), entry)
    failed, end, refused, gone = (code.label() for _ in range(4))
    result = code.variable(0)
    _run(code, state, recipe, arrays)
    left = code.load(recipe, Recipe.LEFT.offset)
    with code.when(left.is_not(0)):
        code.jump_if(code.load(left).is_not(0), gone)
    failure = code.load(recipe, Recipe.FAILURE.offset)
    with code.when(failure.is_not(0)):
        code.jump_if(code.load(failure).is_not(0), refused)
    giving = Giving(code, state, recipe, items, arrays, failed)
    giving.copies()
    giving.leaves(made)
    result.set(giving.structure(made))
    code.jump(end)
    code.put(refused)
    result.set(_raised(code, state, failure, code.load(recipe, Recipe.RAISE.offset)))
    code.jump(end)
    code.put(gone)
    result.set(_raised(code, state, left, code.load(recipe, Recipe.LEAVING.offset)))
    code.jump(end)
    code.put(failed)
    with code.repeat(code.load(recipe, Recipe.LEAF_COUNT.offset)) as n:
        item = code.load(made + n * 8)
        with code.when(item.is_not(0)):
            code.run(code.load(state, State.DECREF.offset), item)
    code.put(end)
    code.run("agir_release", state, recipe)
    code.store(0, recipe, Recipe.BUSY.offset)
    code.run(code.load(state, State.DECREF.offset), entry)
    code.give(result.get())
    return code


def _run(code: Code, state: Word, recipe: Word, arrays: Word) -> None:
    """Run the compiled code; where other threads may run meanwhile, the arrays are held."""
    function, pointers = (code.load(recipe, f.offset) for f in (Recipe.FUNCTION, Recipe.POINTERS))
    done = code.label()
    with code.when(code.load(recipe, Recipe.RELEASES.offset).is_(0)):
        code.run(function, pointers)
        code.jump(done)
    _each(code, state, recipe, arrays, State.INCREF)
    thread = code.call(code.load(state, State.SAVE_THREAD.offset))
    code.run(function, pointers)
    code.run(code.load(state, State.RESTORE_THREAD.offset), thread)
    _each(code, state, recipe, arrays, State.DECREF)
    code.put(done)


def _each(code: Code, state: Word, recipe: Word, arrays: Word, function: State) -> None:
    with code.repeat(code.load(recipe, Recipe.NODE_COUNT.offset)) as n:
        array = code.load(arrays + n * 8)
        with code.when(array.is_not(0)):
            code.run(code.load(state, function.offset), array)


def _raised(code: Code, state: Word, record: Word, raising: Word) -> Word:
    """What a function of Python's makes of three numbers: an exception, so the result is 0."""
    given = code.array(3)
    new = code.load(state, State.NEW_INT.offset)
    for n in range(3):
        code.store(code.call(new, code.load(record, 8 * n)), given, 8 * n)
    result = code.call(code.load(state, State.VECTORCALL.offset), raising, given, 3, 0)
    for n in range(3):
        code.run(code.load(state, State.DECREF.offset), code.load(given, 8 * n))
    return result
