// Every test uses random numbers that come again.
@_exported import SeededRandom
