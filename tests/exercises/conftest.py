"""Checkers: an answer may take its time on a busy machine, except in tests of that."""

from bookwork.exercises import running

running.TIME_LIMIT = 600.0
