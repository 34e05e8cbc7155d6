import FileEngine
import ListChanges

/// Writes the changes of a graph and applies its rules until nothing is left to do.
///
/// In each round it writes the changed edges, removes the edges of deleted rows, and applies the rules of all edges that are
/// gone. The rows that it deletes come back in the next round, so a circle of edges ends where all its rows are deleted.
///
/// A row with an "if all" rule is deleted when the last edge on that side is gone. It is looked at again with each edge that it
/// loses in the same run, so that the order of the edges does not matter. Files are noted, and asked about at the end of the transaction
/// (``LostFiles``).
struct RuleRun {
    unowned let graph: YapDatabaseRelationshipTransaction
    let transaction: YapDatabaseReadWriteTransaction
    private var candidates: Set<Candidate> = []
    private var notified: Set<Notice> = []

    /// A row that is deleted when it has lost all edges on one side.
    private struct Candidate: Hashable {
        let row: Int64
        let lost: LostEnd
    }

    private struct Notice: Hashable {
        let name: ExactString
        let row: Int64
        let lost: LostEnd
        let lostKey: RowKey?
    }

    init(_ graph: YapDatabaseRelationshipTransaction) {
        self.graph = graph
        transaction = graph.readWriteTransaction("flush")
    }

    mutating func run() throws {
        while !graph.changes.isEmpty {
            var gone = try graph.writeEdges()
            try graph.table.removeEdges(of: graph.changes.popDeleted()) { leaving, arriving in
                gone += leaving.map { GoneEdge($0, lost: .source) }
                gone += arriving.map { GoneEdge($0, lost: .destination) }
            }
            if !gone.isEmpty { try apply(gone) }
        }
    }

    private mutating func apply(_ gone: [GoneEdge]) throws {
        var doomed = Doomed()
        var notices: [GoneEdge] = []
        var touched: [Candidate] = []
        for edge in gone {
            switch edge.survivor {
            case .file: graph.noteLostFile(of: edge.edge)
            case .row(let row):
                guard graph.changes.deletedKey(row) == nil else { continue }
                if graph.settings.declared != nil, let missing = edge.lostKey {
                    if edge.edge.isManual {
                        throw YapDatabaseError.missingEnd(graph.name, of: try transaction.key(forRowid: row), missing)
                    }
                    graph.unsettled.append((row, missing, isMissing: true))
                    continue
                }
                let candidate = Candidate(row: row, lost: edge.lost)
                if edge.rules.contains(edge.lost.ruleForAll) {
                    candidates.insert(candidate)
                } else if edge.rules.contains(edge.lost.ruleForOne) {
                    doomed.insert(row)
                }
                if candidates.contains(candidate) { touched.append(candidate) }
                if edge.rules.contains(edge.lost.ruleToNotify) { notices.append(edge) }
            }
        }
        // Targets that are missing are no reason to remove a row, but to fail.
        let failing = Set(graph.unsettled.lazy.filter(\.isMissing).map(\.row))
        for candidate in touched where !doomed.contains(candidate.row) && !failing.contains(candidate.row) {
            let hasOthers =
                try candidate.lost == .source
                ? graph.table.hasEdge(to: candidate.row) : graph.table.hasEdge(from: candidate.row)
            if !hasOthers { doomed.insert(candidate.row) }
        }
        for edge in notices { try notify(edge, isDoomed: doomed.contains(edge.survivingRow)) }
        if !doomed.rows.isEmpty { try transaction.removeRows(doomed.rows) }
    }

    private mutating func notify(_ edge: GoneEdge, isDoomed: Bool) throws {
        guard let row = edge.survivingRow, let key = try transaction.key(forRowid: row) else { return }
        let lostKey =
            try edge.lostKey
            ?? edge.lostRow.flatMap { row in
                try graph.changes.deletedKey(row) ?? transaction.key(forRowid: row)
            }
        // An object may answer with one that names a missing row again.
        let notice = Notice(name: ExactString(edge.edge.name), row: row, lost: edge.lost, lostKey: lostKey)
        guard notified.insert(notice).inserted else { return }
        // One that cannot be decoded is not told.
        let object = try graph.decoding(row, key, .object) { try transaction.object(forRowid: row, key: key) }
        let isSourceLost = edge.lost == .source
        let shown = YapDatabaseRelationshipEdge(
            name: edge.edge.name, source: isSourceLost ? lostKey : key,
            end: (isSourceLost ? key : lostKey).map(EdgeEnd.row), rules: edge.rules, isManual: edge.edge.isManual)
        switch try graph.settings.loss(
            of: shown, for: object, with: isSourceLost ? .sourceNodeDeleted : .destinationNodeDeleted)
        {
        case .replace(let answer) where !isDoomed:
            try transaction.replace(answer, forKey: key.key, inCollection: key.collection)
        case .refuse where !isDoomed:
            if let lostKey { graph.unsettled.append((row, lostKey, isMissing: false)) }
        default: return
        }
    }
}

/// The rows that a round deletes, each once, in order.
private struct Doomed {
    private(set) var rows: [Int64] = []
    private var known: Set<Int64> = []

    mutating func insert(_ row: Int64) {
        if known.insert(row).inserted { rows.append(row) }
    }

    func contains(_ row: Int64?) -> Bool { row.map(known.contains) ?? false }
}

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
