// Every test of this target may use what the tests of databases share.
@_exported import DatabaseTesting
