"""Decorated methods: an instance has traces of its own, and they go when it goes."""

from __future__ import annotations

import copy
import gc
import inspect
import pickle
import threading
import weakref

import numpy as np
import pytest

import agir as ag


class Model:
    def __init__(self, k):
        self.k = k
        self.traces = 0

    @ag.function
    def scale(self, x, more=1):
        """Scales."""
        self.traces += 1
        return x * self.k * more

    @ag.jit
    def itself(self, x):
        return self, x

    @ag.function
    def checked(self, x):
        if x > 10:
            raise ValueError(f"{x} is too large")
        return x

    @ag.function
    def __call__(self, x):
        return x + self.k

    @classmethod
    @ag.function
    def of_class(cls, x):
        return x + 1

    @staticmethod
    @ag.function
    def static(x):
        return x + 2


class Slotted:
    __slots__ = ("k",)

    def __init__(self, k):
        self.k = k

    @ag.function
    def scale(self, x):
        return x * self.k


class Same(Model):
    """Instances that are all equal, and cannot be hashed."""

    def __eq__(self, other):
        return True


@ag.function
def at_top_level(x):
    return x + 1


@pytest.mark.filterwarnings("ignore::agir.errors.SideEffectWarning")
@pytest.mark.parametrize("kind", [Model, Same])
def test_instances_share_nothing(kind):
    gc.collect()  # the instances of other tests, with their traces
    two, three = kind(2.0), kind(3.0)
    x = ag.constant(1.0)
    for _ in range(2):
        assert (float(two.scale(x)), float(three.scale(x)), float(three.scale(x, 2))) == (2, 3, 6)
    assert len(two.scale._concrete) == 1
    assert len(three.scale._concrete) == 2
    assert len(Model.scale._concrete) == 0
    assert float(Model.scale(two, x)) == 2.0


def test_a_bound_method_is_a_generic_function():
    bound = Model(2.0).scale
    gc.collect()  # it holds its instance
    assert isinstance(bound, ag.types.GenericFunction)
    assert float(bound(ag.constant(3.0))) == 6.0
    assert (bound.__name__, bound.__doc__, bound.__module__) == ("scale", "Scales.", __name__)
    assert str(inspect.signature(bound)) == "(x, more=1)"
    assert bound.python_function(4.0) == 8.0
    assert bound.input_signature is None
    concrete = bound.get_concrete_function(ag.TensorSpec([], ag.float32))
    assert float(concrete(ag.constant(3.0))) == 6.0
    assert concrete.structured_input_signature[0][1:] == (1,)
    assert "scale(x, more)" in bound.pretty_printed_concrete_signatures()
    assert "trace 1" in bound.explain_retracing()
    assert "func.func @scale" in bound.experimental_get_compiler_ir(ag.constant(3.0))("hlo")
    assert bound == bound.__self__.scale
    assert hash(bound) == hash(bound.__self__.scale)
    assert bound != Model(2.0).scale


def test_other_kinds_of_methods():
    model, x = Model(2), ag.constant(1)
    assert int(model(x)) == 3
    assert int(Model.of_class(x)) == int(model.of_class(x)) == 2
    assert int(Model.static(x)) == int(model.static(x)) == 3


@pytest.mark.parametrize("name", ["scale", "itself", "checked", "__call__"])
def test_traces_do_not_keep_an_instance_alive(name):
    model = Model(2.0)
    getattr(model, name)(ag.constant(1.0))
    reference = weakref.ref(model)
    del model
    gc.collect()
    assert reference() is None
    assert not getattr(Model, name)._methods.values()


def test_a_method_can_return_its_instance():
    model = Model(2.0)
    assert model.itself(1.0)[0] is model
    assert model.itself.get_concrete_function(1.0).structured_outputs[0] is model


def test_an_instance_that_cannot_be_referred_to_weakly():
    x = ag.constant(3.0)
    first, second = Slotted(2.0), Slotted(4.0)
    assert (float(first.scale(x)), float(second.scale(x))) == (6.0, 12.0)
    assert str(inspect.signature(first.scale)) == "(x)"
    assert float(first.scale.get_concrete_function(x)(first, x)) == 6.0


def test_the_method_of_an_object_that_is_gone_says_so():
    model = Model(2.0)
    own = model.scale._own
    del model
    gc.collect()
    with pytest.raises(ReferenceError, match="does not exist any more"):
        own(ag.constant(1.0))


def test_racing_first_calls_of_a_method_share_its_traces():
    model = Model(2.0)
    barrier = threading.Barrier(8)
    owners = []

    def work():
        barrier.wait()
        owners.append(model.itself._own)

    threads = [threading.Thread(target=work) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(set(map(id, owners))) == 1


# --- pickling and copying ---------------------------------------------------------------------


def test_functions_are_pickled_by_name():
    assert pickle.loads(pickle.dumps(at_top_level)) is at_top_level
    assert pickle.loads(pickle.dumps(Model.scale)) is Model.scale
    bound = pickle.loads(pickle.dumps(Model(5.0).scale))
    assert float(bound(ag.constant(2.0))) == 10.0


def local():
    def f(x):
        return x

    return ag.function(f)


@pytest.mark.parametrize(
    ("function", "message"),
    [
        (ag.function(lambda x: x), "it is a lambda"),
        (local(), "inside a function"),
        (ag.function(at_top_level.python_function), "is something else"),
    ],
)
def test_what_has_no_name_of_its_own_is_refused(function, message):
    with pytest.raises(pickle.PicklingError, match=message) as info:
        pickle.dumps(function)
    assert "pickle.dumps(function)" in str(info.value)


def test_copies():
    function = local()
    assert copy.copy(function) is function
    assert copy.deepcopy({"f": function})["f"] is function
    model = Model(2.0)
    model.bound = ag.function(model.scale.python_function)
    other = copy.deepcopy(model)
    other.k = 3.0
    x = ag.constant(1.0)
    assert (float(model.bound(x)), float(other.bound(x))) == (2.0, 3.0)
    assert (float(model.scale(x)), float(other.scale(x))) == (2.0, 3.0)
    assert float(copy.deepcopy(model.scale)(x)) == 2.0
    np.testing.assert_array_equal(Model(2.0).scale(np.ones(2)), [2.0, 2.0])
