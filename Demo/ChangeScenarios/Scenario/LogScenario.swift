import YapDatabase

/// A view's log between two snapshots, for the pure rules.
package struct LogScenario: Hashable, Sendable {
    package var id: String?
    package var mappings: MappingsSetup
    /// The rows of each group before the log; a missing group is empty.
    package var counts: [String: Int]
    package var log: [RawOperation]
    /// The rows of each group after it; nil, or a missing group, follows from the log.
    var finalCounts: [String: Int]?
}

extension LogScenario: ScenarioValue {
    package static let shape = "an object"

    package init(json: JSON) throws(ScenarioError) {
        let fields = try Fields(json)
        id = try fields.optional("id")
        mappings = try fields.required("mappings")
        if try fields.optional("configAfterUpdate") ?? false { mappings.configAfterUpdate = true }
        counts = try fields.required("counts", [String: RowCount].self).mapValues(\.value)
        log = try fields.required("log")
        finalCounts = try fields.optional("finalCounts", [String: RowCount].self)?.mapValues(\.value)
    }

    package var json: JSON {
        .object(
            ("id", id?.json), ("mappings", mappings.json), ("counts", counts.json), ("log", log.json),
            ("finalCounts", finalCounts?.json))
    }

    /// A number of rows.
    private struct RowCount: ScenarioValue {
        static let shape = "a whole number of at least 0"
        /// More rows than any file holds, and far enough below `Int.max` that a log may add to it.
        static let limit = 1 << 48
        let value: Int

        init(json: JSON) throws(ScenarioError) {
            value = try Int(json: json)
            guard value >= 0 else { throw ScenarioError("should be at least 0, not \(value)") }
            guard value <= Self.limit else { throw ScenarioError("should be at most \(Self.limit), not \(value)") }
        }

        var json: JSON { value.json }
    }
}
