"""Streams of random words: the counter-based generators Philox4x32-10 and Threefry2x32.

Salmon, Moraes, Dror, Shaw: Parallel random numbers: as easy as 1, 2, 3 (2011).  A block of words is
a function of a key and a counter, so every element of an array is computed on its own.  Words are
32 bits wide and held in uint64.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from agir.ir.ops.elementwise.formulas import where

WORD = 0xFFFFFFFF

_PHILOX = (0xD2511F53, 0xCD9E8D57)
_WEYL = (0x9E3779B9, 0xBB67AE85)
_PARITY = 0x1BD11BDA
_ROTATIONS = (13, 15, 26, 6, 17, 29, 16, 24)


def philox4x32(counter: Sequence[Any], key: Sequence[Any]) -> tuple[Any, Any, Any, Any]:
    """A block of Philox4x32-10: four words of a counter of four and a key of two."""
    c0, c1, c2, c3 = counter
    k0, k1 = key
    for _ in range(10):
        first, second = c0 * _PHILOX[0], c2 * _PHILOX[1]
        c0, c1 = (second >> 32) ^ c1 ^ k0, second & WORD
        c2, c3 = (first >> 32) ^ c3 ^ k1, first & WORD
        k0, k1 = (k0 + _WEYL[0]) & WORD, (k1 + _WEYL[1]) & WORD
    return c0, c1, c2, c3


def threefry2x32(counter: Sequence[Any], key: Sequence[Any]) -> tuple[Any, Any]:
    """A block of Threefry2x32 of 20 rounds: two words of a counter of two and a key of two."""
    keys = (*key, key[0] ^ key[1] ^ _PARITY)
    x, y = (counter[0] + keys[0]) & WORD, (counter[1] + keys[1]) & WORD
    for group in range(5):
        for iteration in range(4):
            by = _ROTATIONS[4 * (group % 2) + iteration]
            x = (x + y) & WORD
            y = (((y << by) | (y >> (32 - by))) & WORD) ^ x
        x = (x + keys[(group + 1) % 3]) & WORD
        y = (y + keys[(group + 2) % 3] + (group + 1)) & WORD
    return x, y


def _halves(number: Any) -> tuple[Any, Any]:
    return number & WORD, number >> 32


def _philox_block(state: Sequence[Any], block: Any) -> Sequence[Any]:
    low = block + state[0]
    high = where(low < block, state[1] + 1, state[1])
    return philox4x32((*_halves(low), *_halves(high)), _halves(state[2]))


def _threefry_block(state: Sequence[Any], block: Any) -> Sequence[Any]:
    return threefry2x32(_halves(block + state[0]), _halves(state[1]))


class Generator(NamedTuple):
    """A counter-based generator: its number and name, the 64-bit numbers of its state, its blocks."""

    number: int
    name: str
    size: int
    words: int
    block: Callable[[Sequence[Any], Any], Sequence[Any]]


GENERATORS = (
    Generator(1, "philox", 3, 4, _philox_block),
    Generator(2, "threefry", 2, 2, _threefry_block),
)
"""The state is a counter (of 128 bits for Philox, 64 for Threefry), low half first, and a key."""


def generator(algorithm: Any) -> Generator:
    """The generator of a name or number; ``ValueError`` where there is none."""
    wanted = getattr(algorithm, "value", algorithm)
    if wanted in (3, "auto_select"):
        wanted = "philox"
    found = next((g for g in GENERATORS if wanted in (g.number, g.name)), None)
    if found is None:
        names = ", ".join(repr(g.name) for g in GENERATORS)
        raise ValueError(
            f"there is no random number generator {algorithm!r}: give {names} or 'auto_select'"
        )
    return found


Pairs = Callable[[Any], tuple[Any, Any]]
"""From the number of a pair to its two words."""


def computed_pairs(kind: Generator, state: Sequence[Any]) -> Pairs:
    """The pairs of words of a stream, each computed when it is asked for."""

    def pair(number: Any) -> tuple[Any, Any]:
        if kind.words == 2:
            x, y = kind.block(state, number)
            return x, y
        words = kind.block(state, number >> 1)
        upper = (number & 1) == 1
        return where(upper, words[2], words[0]), where(upper, words[3], words[1])

    return pair


def tabulated_pairs(kind: Generator, state: Sequence[Any], count: int) -> Pairs:
    """The first pairs of a stream, computed at once in NumPy."""
    blocks = -(-2 * count // kind.words)
    words = kind.block(state, np.arange(blocks, dtype=np.uint64))
    pairs = np.stack(words, axis=-1).reshape(-1, 2)

    def pair(number: Any) -> tuple[Any, Any]:
        return pairs[number, 0], pairs[number, 1]

    return pair


_SCRAMBLE = (0x3EC8F720, 0x02461E29)


def scrambled(first: Any, second: Any) -> tuple[Any, Any]:
    """(key, counter) of a pair of seeds: every bit of the seeds counts for every bit of these."""
    key = [(first & 0) + word for word in _SCRAMBLE]
    words = philox4x32((*_halves(first), *_halves(second)), key)
    return words[0] | (words[1] << 32), words[2] | (words[3] << 32)
