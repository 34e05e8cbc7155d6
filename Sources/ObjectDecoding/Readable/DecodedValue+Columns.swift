extension DecodedValue {
    /// The names of the fields that can be columns of a list, in order; empty for a value without fields.
    package var columnNames: [String] { fields?.compactMap(\.name) ?? [] }

    /// Returns the field of a name as short text; nil if there is none. Of duplicates the first counts.
    ///
    /// - Complexity: O(fields + limit)
    package func column(_ name: String, limit: Int = 80) -> String? {
        fields?.first { $0.name == name }?.value.summary(limit: limit)
    }
}
