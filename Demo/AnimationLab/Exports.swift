// Scenarios and answers are JSON values, so users of the laboratory need ByteFormats.
@_exported import ByteFormats
