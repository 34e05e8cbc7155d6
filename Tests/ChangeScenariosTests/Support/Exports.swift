// Every test of this target may use what all targets share.
@_exported import ScenarioTesting
@_exported import TestSupport
