// Every test uses reproducible random numbers.
@_exported import SeededRandom
