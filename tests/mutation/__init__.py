"""A measure of the tests: how many small faults put into the code they notice; see `__main__`."""
