"""An answer may take its time on a busy machine."""

from bookwork.exercises import running

running.TIME_LIMIT = 600.0
