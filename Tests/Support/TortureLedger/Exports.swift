// The writers and the test that kills them draw from the same generator.
@_exported import TestSupport
