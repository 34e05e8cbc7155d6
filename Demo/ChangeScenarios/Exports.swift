// Scenarios and answers are JSON values, and what they hold are rows and change-sets.
@_exported import ByteFormats
@_exported import ListChanges
