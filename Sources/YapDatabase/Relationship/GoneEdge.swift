import FileEngine
import ListChanges

/// The end whose loss ended an edge.
enum LostEnd: Hashable {
    case source
    case destination

    var ruleForOne: YDB_NodeDeleteRules {
        self == .source ? .deleteDestinationIfSourceDeleted : .deleteSourceIfDestinationDeleted
    }

    var ruleForAll: YDB_NodeDeleteRules {
        self == .source ? .deleteDestinationIfAllSourcesDeleted : .deleteSourceIfAllDestinationsDeleted
    }

    var ruleToNotify: YDB_NodeDeleteRules { self == .source ? .notifyIfSourceDeleted : .notifyIfDestinationDeleted }
}

/// An edge that is gone, and whose rules now apply to its other end.
struct GoneEdge {
    /// Its source is meaningless if a source that never existed is lost, and its destination likewise.
    let edge: Edge
    let lost: LostEnd
    /// The key of a lost row that never existed.
    let lostKey: RowKey?

    init(_ edge: Edge, lost: LostEnd, lostKey: RowKey? = nil) {
        self.edge = edge
        self.lost = lost
        self.lostKey = lostKey
    }

    var rules: YDB_NodeDeleteRules { edge.deleteRules }

    /// The other end.
    var survivor: Edge.Destination { lost == .source ? edge.destination : .row(edge.source) }

    var survivingRow: Int64? {
        if case .row(let row) = survivor { row } else { nil }
    }

    /// The rowid of the lost row; nil if it never existed.
    var lostRow: Int64? {
        guard lostKey == nil else { return nil }
        if lost == .source { return edge.source }
        if case .row(let row) = edge.destination { return row }
        return nil
    }
}
