extension DecodedValue {
    /// The names of the fields that may be columns of a list, in their order; empty for a value without fields.
    package var columnNames: [String] { fields?.compactMap(\.name) ?? [] }

    /// The field of that name as short text; nil if there is none. Of several the first counts.
    ///
    /// - Complexity: O(fields + limit)
    package func column(_ name: String, limit: Int = 80) -> String? {
        fields?.first { $0.name == name }?.value.summary(limit: limit)
    }
}
