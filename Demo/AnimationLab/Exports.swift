// Scenarios and answers are JSON values, so whoever works with the laboratory needs them.
@_exported import ByteFormats
