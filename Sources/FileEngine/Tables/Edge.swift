/// One row of a relationship's table: an edge of the graph.
package struct Edge: Hashable, Sendable {
    /// What an edge leads to.
    package enum Destination: Hashable, Sendable {
        case row(Int64)
        /// The serialized URL of a file.
        case file([UInt8])
    }

    /// The edge's rowid; 0 before it is stored.
    package var id: Int64
    package var name: String
    /// The rowid of the source.
    package var source: Int64
    package var destination: Destination
    package var rules: Int64
    /// Whether the edge was added by hand, not by its source's protocol.
    package var isManual: Bool

    package init(
        id: Int64 = 0, name: String, source: Int64, destination: Destination, rules: Int64, isManual: Bool
    ) {
        self.id = id
        self.name = name
        self.source = source
        self.destination = destination
        self.rules = rules
        self.isManual = isManual
    }
}

/// Which edges a query wants; nil for any.
package struct EdgeFilter: Hashable, Sendable {
    package var name: String?
    package var source: Int64?
    package var destination: Edge.Destination?
    /// Only edges that lead to files.
    package var isFile = false

    package init(name: String? = nil, source: Int64? = nil, destination: Edge.Destination? = nil, isFile: Bool = false)
    {
        self.name = name
        self.source = source
        self.destination = destination
        self.isFile = isFile
    }
}
