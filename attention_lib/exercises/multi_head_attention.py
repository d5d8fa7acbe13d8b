"""Exercises of the chapter "Multi-head attention"."""

from attention_lib.exercises._table import Exercise

EXERCISES: tuple[Exercise, ...] = ()
