"""The lecture's own package: the checks of its exercise. Its functions are in the lecture."""
