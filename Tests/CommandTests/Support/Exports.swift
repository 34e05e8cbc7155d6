// Shared support for every test of this target.
@_exported import TestSupport
