import FileEngine

/// One row of a relationship's table: an edge of the graph.
struct Edge: Hashable, Sendable {
    /// What an edge leads to.
    enum Destination: Hashable, Sendable {
        case row(Int64)
        /// The serialized URL of a file.
        case file([UInt8])
    }

    /// The edge's rowid; 0 before it is stored.
    var id: Int64
    var name: String
    /// The rowid of the source.
    var source: Int64
    var destination: Destination
    var rules: Int64
    /// Whether the edge was added by hand, not by its source's protocol.
    var isManual: Bool

    init(
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
struct EdgeFilter: Hashable, Sendable {
    var name: String?
    var source: Int64?
    var destination: Edge.Destination?
    /// Only edges that lead to files.
    var isFile = false

    init(name: String? = nil, source: Int64? = nil, destination: Edge.Destination? = nil, isFile: Bool = false) {
        self.name = name
        self.source = source
        self.destination = destination
        self.isFile = isFile
    }
}
