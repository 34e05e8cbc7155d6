// Every test of this target may use what all targets share.
@_exported import DatabaseTesting
@_exported import TestSupport
