"""Stores into objects, membership and special methods, through operators."""

from agir.autograph import operators


class Counted:
    def __init__(self):
        self.value, self.stores = 0, 0

    @property
    def double(self):
        return self.value * 2

    @double.setter
    def double(self, value):
        self.value = value // 2
        self.stores += 1

    def __contains__(self, value):
        return value == self.value

    def __len__(self):
        return 7


def test_properties_are_stored_through_their_setter():
    counted = Counted()
    operators.set_attr(counted, "double", 10)
    assert (counted.value, operators.get_attr(counted, "double"), counted.stores) == (5, 10, 1)
    operators.del_attr(counted, "value")
    assert not hasattr(counted, "value")


def test_items():
    items = {"a": [1, 2]}
    operators.set_item(items["a"], 0, 5)
    operators.set_item(items, "b", 3)
    operators.del_item(items, "a")
    assert items == {"b": 3}
    assert operators.get_item([1, 2, 3], operators.slice_(1, None)) == [2, 3]


def test_membership_and_special_methods():
    counted = Counted()
    assert operators.in_(0, counted)
    assert operators.not_in(1, counted)
    assert operators.is_(counted, counted)
    assert operators.is_not(counted, None)
    assert operators.call(len, (counted,)) == 7


def test_displays_with_stars():
    assert operators.listed([1], (2, 3), range(2)) == [1, 2, 3, 0, 1]


def test_places_are_read_replaced_and_emptied():
    counted, entries, items = Counted(), {"a": 1}, [1, 2]
    for place in (operators.Attribute(counted, "value"), operators.Entry(entries, "a")):
        before = place.get()
        place.set(9)
        assert place.get() == 9
        place.set(operators.Undefined("x"))
        assert isinstance(place.get(), operators.Undefined)
        place.set(before)
        assert place.get() == before
    contents = operators.Contents(items)
    before = contents.get()
    items.append(3)
    contents.set(before)
    assert items == [1, 2]
