// The lab shows scenarios and the results of their replay.
@_exported import ChangeScenarios
