// The lab shows scenarios and what their replay gives.
@_exported import ChangeScenarios
