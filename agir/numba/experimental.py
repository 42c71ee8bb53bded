"""Numba's ``experimental`` module."""

from agir.numba.decorators import jitclass as jitclass

__all__ = ["jitclass"]
