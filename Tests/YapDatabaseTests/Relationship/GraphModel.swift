import Foundation

@testable import YapDatabase

/// A graph kept without a database: all edges in a set, searched from end to end.
struct GraphModel {
    enum End: Hashable {
        case node(Int)
        case file(String)
    }
    enum Target: Hashable {
        case key(String)
        case file(String)
    }
    struct Edge: Hashable {
        var name: String
        var source: Int
        var end: End
        var rules: YDB_NodeDeleteRules
        var isManual: Bool
    }
    struct ManualName: Hashable {
        var name: String
        var source: String
        var target: Target
    }
    enum Manual {
        case add(YDB_NodeDeleteRules)
        case remove(YDB_NotifyReason, YDB_NodeDeleteRules?)
    }
    private struct Gone {
        var name: String
        var rules: YDB_NodeDeleteRules
        var lost: LostEnd
        var survivor: End
        var lostName: String
    }
    private struct Candidate: Hashable {
        var end: End
        var lost: LostEnd
    }

    /// The life of each key: a row that is removed and set again is another node.
    private var live: [String: Int] = [:]
    private var content: [Int: GraphNode] = [:]
    private var keys: [Int: String] = [:]
    private var edges: Set<Edge> = []
    private var pending: [Int: [GraphNode.Link]] = [:]
    private var manual: [ManualName: Manual] = [:]
    private var removed: [Int] = []
    private(set) var deletedFiles: Set<String> = []
    /// Files that lost an edge in this transaction whose rule deletes them.
    private var lostFiles: Set<String> = []
}

// MARK: What a transaction does

extension GraphModel {
    var nodes: [String: GraphNode] { live.compactMapValues { content[$0] } }

    mutating func set(_ key: String, _ node: GraphNode) {
        if live[key] == nil {
            live[key] = keys.count
            keys[keys.count] = key
        }
        content[live[key]!] = node
        pending[live[key]!] = node.links
    }

    mutating func remove(_ key: String) {
        guard let node = live.removeValue(forKey: key) else { return }
        content[node] = nil
        removed.append(node)
    }

    mutating func removeAll() {
        guard !live.isEmpty else { return }
        for edge in writeEdges() where edge.lost == .source { lose(edge.survivor, edge.rules) }
        for edge in edges { lose(edge.end, edge.rules) }
        (live, content, edges, pending, manual, removed) = ([:], [:], [], [:], [:], [])
    }

    /// The transaction ends: the files go that were lost and that no edge leads to.
    mutating func commit() {
        flush()
        deletedFiles.formUnion(lostFiles.filter { file in !edges.contains { $0.end == .file(file) } })
        lostFiles = []
    }

    /// A file is there again.
    mutating func restore(_ file: String) { deletedFiles.remove(file) }

    private mutating func lose(_ end: End, _ rules: YDB_NodeDeleteRules) {
        if case .file(let file) = end, rules.deletesFile { lostFiles.insert(file) }
    }

    mutating func add(_ name: ManualName, _ rules: YDB_NodeDeleteRules) { manual[name] = .add(rules) }

    mutating func remove(_ name: ManualName, _ reason: YDB_NotifyReason) {
        switch manual[name] {
        case .add(let rules): manual[name] = .remove(reason, rules)
        case .remove(_, let rules): manual[name] = .remove(reason, rules)
        case nil: manual[name] = .remove(reason, nil)
        }
    }

    /// What a query in the transaction sees before the rules have run.
    var visible: [String] {
        var seen = edges.filter { edge in
            guard content[edge.source] != nil, !edge.isManual ? pending[edge.source] == nil : true else { return false }
            if case .node(let node) = edge.end, content[node] == nil { return false }
            return !edge.isManual || manual[manualName(edge)] == nil
        }
        for (node, links) in pending where content[node] != nil {
            var known: [End: [String: Edge]] = [:]
            for link in links {
                guard let end = liveEnd(target(link)) else { continue }
                known[end, default: [:]][link.name] = Edge(
                    name: link.name, source: node, end: end, rules: YDB_NodeDeleteRules(rawValue: link.rules),
                    isManual: false)
            }
            for edge in known.values.flatMap(\.values) { seen.insert(edge) }
        }
        for case (let name, .add(let rules)) in manual {
            guard let source = live[name.source], let end = liveEnd(name.target) else { continue }
            seen.insert(Edge(name: name.name, source: source, end: end, rules: rules, isManual: true))
        }
        return seen.map { edge in
            let end =
                switch edge.end {
                case .node(let node): keys[node]!
                case .file(let file): file
                }
            let kind = edge.isManual ? "manual" : "protocol"
            return "\(keys[edge.source]!) -\(edge.name) \(edge.rules.rawValue)-> \(end) \(kind)"
        }.sorted()
    }

    private func target(_ link: GraphNode.Link) -> Target { link.file.map(Target.file) ?? .key(link.key ?? "") }

    private func liveEnd(_ target: Target) -> End? {
        switch target {
        case .file(let file): .file(file)
        case .key(let key): live[key].map(End.node)
        }
    }

    private func manualName(_ edge: Edge) -> ManualName {
        let target: Target =
            switch edge.end {
            case .node(let node): .key(keys[node]!)
            case .file(let file): .file(file)
            }
        return ManualName(name: edge.name, source: keys[edge.source]!, target: target)
    }
}

// MARK: The rules

extension GraphModel {
    mutating func flush() {
        var candidates: Set<Candidate> = []
        var notified: Set<String> = []
        while !pending.isEmpty || !manual.isEmpty || !removed.isEmpty {
            var gone = writeEdges()
            let nodes = removed
            removed = []
            for node in nodes {
                for edge in edges where edge.source == node || edge.end == .node(node) {
                    edges.remove(edge)
                    gone.append(lostEdge(edge, edge.source == node ? .source : .destination))
                }
            }
            apply(gone, &candidates, &notified)
        }
    }

    private func lostEdge(_ edge: Edge, _ lost: LostEnd) -> Gone {
        var lostName = keys[edge.source]!
        if lost == .destination, case .node(let node) = edge.end { lostName = keys[node]! }
        return Gone(
            name: edge.name, rules: edge.rules, lost: lost, survivor: lost == .source ? edge.end : .node(edge.source),
            lostName: lostName)
    }

    /// A node of the key that exists, or the last one that was removed.
    private func node(_ key: String) -> Int? { live[key] ?? removed.last { keys[$0] == key } }

    private func end(_ target: Target) -> End? {
        switch target {
        case .file(let file): .file(file)
        case .key(let key): node(key).map(End.node)
        }
    }

    private mutating func writeEdges() -> [Gone] {
        var gone: [Gone] = []
        for (source, links) in pending {
            var wanted: Set<Edge> = []
            for link in links {
                let rules = YDB_NodeDeleteRules(rawValue: link.rules)
                guard let end = end(target(link)) else {
                    gone.append(
                        Gone(
                            name: link.name, rules: rules, lost: .destination, survivor: .node(source),
                            lostName: link.key!))
                    continue
                }
                wanted = wanted.filter { $0.name != link.name || $0.end != end }
                wanted.insert(Edge(name: link.name, source: source, end: end, rules: rules, isManual: false))
            }
            for edge in edges where edge.source == source && !edge.isManual {
                edges.remove(edge)
                let stays = wanted.contains { $0.name == edge.name && $0.end == edge.end }
                if !stays { gone.append(lostEdge(edge, .source)) }
            }
            edges.formUnion(wanted)
        }
        pending = [:]
        for (name, change) in manual { write(change, name, &gone) }
        manual = [:]
        return gone
    }

    private mutating func write(_ change: Manual, _ name: ManualName, _ gone: inout [Gone]) {
        let (source, end) = (node(name.source), end(name.target))
        let stored = edges.first { $0.isManual && $0.name == name.name && $0.source == source && $0.end == end }
        if let stored { edges.remove(stored) }
        switch change {
        case .add(let rules):
            if let source, let end {
                edges.insert(Edge(name: name.name, source: source, end: end, rules: rules, isManual: true))
            } else if let source, case .key(let key) = name.target {
                gone.append(
                    Gone(name: name.name, rules: rules, lost: .destination, survivor: .node(source), lostName: key))
            } else if let end {
                gone.append(
                    Gone(name: name.name, rules: rules, lost: .source, survivor: end, lostName: name.source))
            }
        case .remove(let reason, let given):
            guard let source, let end, let rules = given ?? stored?.rules else { return }
            let edge = Edge(name: name.name, source: source, end: end, rules: rules, isManual: true)
            switch reason {
            case .edgeDeleted: break
            case .sourceNodeDeleted: gone.append(lostEdge(edge, .source))
            case .destinationNodeDeleted: gone.append(lostEdge(edge, .destination))
            }
        }
    }

    private mutating func apply(_ gone: [Gone], _ candidates: inout Set<Candidate>, _ notified: inout Set<String>) {
        var doomed: Set<Int> = []
        var notices: [(Int, String)] = []
        for edge in gone {
            let candidate = Candidate(end: edge.survivor, lost: edge.lost)
            let isAll = edge.rules.contains(edge.lost.ruleForAll)
            if isAll { candidates.insert(candidate) }
            switch edge.survivor {
            case .file: lose(edge.survivor, edge.rules)
            case .node(let node):
                guard content[node] != nil else { continue }
                if !isAll, edge.rules.contains(edge.lost.ruleForOne) { doomed.insert(node) }
                if edge.rules.contains(edge.lost.ruleToNotify) {
                    notices.append((node, "\(edge.name) \(node) \(edge.lost) \(edge.lostName)"))
                }
            }
        }
        for edge in gone where candidates.contains(Candidate(end: edge.survivor, lost: edge.lost)) {
            guard case .node(let node) = edge.survivor, content[node] != nil else { continue }
            let hasOthers = edges.contains {
                edge.lost == .source
                    ? $0.end == .node(node) && $0.source != node : $0.source == node && $0.end != .node(node)
            }
            if !hasOthers { doomed.insert(node) }
        }
        for (node, notice) in notices where notified.insert(notice).inserted && !doomed.contains(node) {
            guard let object = content[node], object.answers else { continue }
            content[node]!.notices += 1
            pending[node] = object.links
        }
        for node in doomed { remove(keys[node]!) }
    }
}
