// `import ValueCoding`, which programs of the original have for the protocols of its other package.
@_exported import protocol YapDatabaseExtensions.CodingType
@_exported import protocol YapDatabaseExtensions.ValueCoding
