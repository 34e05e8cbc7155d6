import Foundation

@testable import YapDatabase

/// What a cloud core is, as plain lists.
struct CloudModel {
    struct Operation {
        let path: String
        let uuid: UUID
        var priority: Int32
        var dependencies: Set<UUID>
        var info: Int?
    }

    struct Graph {
        var operations: [Operation] = []
        var isNew = false
    }

    /// The graphs of each pipeline. Operations are in the order in which they were queued.
    var pipelines: [String: [Graph]]
    /// The tags, by `key identifier`.
    var tags: [String: String] = [:]
    /// Keys of rows that exist.
    var rows: Set<String> = []
    /// `key uri` of rows that exist.
    var attached: Set<String> = []
    var waiting: Set<String> = []

    init(pipelines names: [String]) { pipelines = Dictionary(uniqueKeysWithValues: names.map { ($0, []) }) }

    var queued: [String] {
        pipelines.sorted { $0.key < $1.key }.flatMap { name, graphs in
            graphs.enumerated().flatMap { place, graph in graph.ordered.map { "\(name) \(place) \($0.text)" } }
        }
    }

    var operations: [(pipeline: String, operation: Operation)] {
        pipelines.sorted { $0.key < $1.key }.flatMap { name, graphs in graphs.flatMap(\.operations).map { (name, $0) } }
    }

    func oldGraphs(_ pipeline: String) -> Int { pipelines[pipeline]!.count { !$0.isNew } }

    mutating func add(_ operation: Operation, _ pipeline: String) {
        if pipelines[pipeline]!.last?.isNew != true { pipelines[pipeline]!.append(Graph(isNew: true)) }
        pipelines[pipeline]![pipelines[pipeline]!.count - 1].operations.append(operation)
    }

    mutating func insert(_ operation: Operation, _ pipeline: String, graph: Int) {
        guard graph < oldGraphs(pipeline) else { return add(operation, pipeline) }
        pipelines[pipeline]![graph].operations.append(operation)
    }

    mutating func change(_ uuid: UUID, _ body: (inout Operation) -> Void) {
        for (name, graphs) in pipelines {
            for place in graphs.indices {
                for index in graphs[place].operations.indices where graphs[place].operations[index].uuid == uuid {
                    body(&pipelines[name]![place].operations[index])
                }
            }
        }
    }

    mutating func remove(_ isGone: (Operation) -> Bool) {
        for (name, graphs) in pipelines {
            for place in graphs.indices { pipelines[name]![place].operations.removeAll(where: isGone) }
        }
    }

    /// Whether the operation waits for itself, if it has these dependencies.
    func isCircular(_ uuid: UUID, _ dependencies: Set<UUID>, _ pipeline: String) -> Bool {
        var reached = dependencies
        while true {
            let next = pipelines[pipeline]!.flatMap(\.operations).filter {
                reached.contains($0.uuid) && $0.uuid != uuid
            }
            .reduce(reached) { $0.union($1.dependencies) }
            if next.contains(uuid) { return true }
            if next == reached { return false }
            reached = next
        }
    }

    mutating func removeAll() {
        for name in pipelines.keys { pipelines[name] = [] }
        (tags, rows, attached, waiting) = ([:], [], [], [])
    }

    mutating func removeRow(_ key: String) {
        rows.remove(key)
        attached = attached.filter { !$0.hasPrefix("\(key) ") }
    }

    mutating func commit() {
        waiting = []
        for name in pipelines.keys {
            pipelines[name]!.removeAll(where: \.operations.isEmpty)
            for place in pipelines[name]!.indices { pipelines[name]![place].isNew = false }
        }
    }
}

extension CloudModel.Graph {
    var ordered: [CloudModel.Operation] {
        operations.enumerated().sorted { ($1.element.priority, $0.offset) < ($0.element.priority, $1.offset) }
            .map(\.element)
    }
}

extension CloudModel.Operation {
    var text: String { "\(path) \(priority) \(dependencies.count) \(info ?? -1)" }
}
