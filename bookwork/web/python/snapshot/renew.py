"""Renews what a snapshot has frozen: random numbers, and the time zone of who took it."""

import random
import time

import numpy

random.seed()
numpy.random.seed()  # noqa: NPY002  readers' code may use it
noons = [time.mktime((time.localtime().tm_year, month, 1, 12, 0, 0, 0, 0, -1)) for month in (1, 7)]
standard, summer = sorted(map(time.localtime, noons), key=lambda noon: noon.tm_gmtoff)
time.timezone, time.altzone = -standard.tm_gmtoff, -summer.tm_gmtoff
time.daylight = int(time.timezone != time.altzone)
time.tzname = standard.tm_zone, summer.tm_zone
