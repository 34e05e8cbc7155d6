// The writers and the test that kills them use the same generator.
@_exported import TestSupport
