import Foundation

/// The operations of all pipelines in one snapshot.
///
/// The operations are rows of a table, written by the transaction that queues, changes or completes them. An
/// operation that the program cannot decode keeps its bytes and its place, and never starts.
struct CloudQueue: Sendable {
    /// The operations that one commit queued in one pipeline.
    struct Graph: Sendable {
        let number: Int64
        /// The highest priority first; equal ones in the order in which they were queued.
        private(set) var operations: [QueuedOperation] = []
        /// Whether the transaction that is under way made it.
        var isNew = false

        init(_ number: Int64, isNew: Bool = false) {
            self.number = number
            self.isNew = isNew
        }
    }

    /// The graphs of each pipeline, in the order of commits.
    private(set) var graphs: [String: [Graph]] = [:]
    /// The rowids of the pipelines.
    var rowids: [String: Int64] = [:]

    subscript(pipeline: String) -> [Graph] { graphs[pipeline] ?? [] }
}

extension CloudQueue.Graph {
    init(_ number: Int64, _ operations: [QueuedOperation]) {
        self.number = number
        self.operations = operations.sorted {
            $0.priority > $1.priority || $0.priority == $1.priority && $0.row.rowid < $1.row.rowid
        }
    }

    mutating func insert(_ operation: QueuedOperation) {
        // From the end, because operations mostly come in the order in which they are stored.
        let place = operations.lastIndex { $0.priority >= operation.priority }.map { $0 + 1 } ?? 0
        operations.insert(operation, at: place)
    }

    mutating func replace(_ operation: QueuedOperation) {
        operations.removeAll { $0.uuid == operation.uuid }
        // Among operations of its priority it stays where it was stored.
        let place = operations.firstIndex {
            $0.priority < operation.priority
                || $0.priority == operation.priority && $0.row.rowid > operation.row.rowid
        }
        operations.insert(operation, at: place ?? operations.endIndex)
    }

    mutating func remove(_ uuid: UUID) { operations.removeAll { $0.uuid == uuid } }
}

// MARK: Reading

extension CloudQueue {
    func operation(_ uuid: UUID, in pipeline: String) -> QueuedOperation? {
        for graph in self[pipeline] {
            if let found = graph.operations.first(where: { $0.uuid == uuid }) { return found }
        }
        return nil
    }

    func operation(_ uuid: UUID) -> QueuedOperation? {
        for pipeline in graphs.keys {
            if let found = operation(uuid, in: pipeline) { return found }
        }
        return nil
    }

    /// The place of the graph that has the operation.
    func graphIndex(_ uuid: UUID, in pipeline: String) -> Int? {
        self[pipeline].firstIndex { $0.operations.contains { $0.uuid == uuid } }
    }

    /// The number of graphs that earlier commits made.
    func oldGraphCount(_ pipeline: String) -> Int { self[pipeline].count { !$0.isNew } }

    /// Whether an operation would wait for itself.
    func isCircular(_ uuid: UUID, _ dependencies: Set<UUID>, in pipeline: String) -> Bool {
        guard !dependencies.isEmpty else { return false }
        let dependents = self[pipeline].flatMap(\.operations).filter {
            $0.uuid != uuid && $0.dependencies.contains(uuid)
        }
        guard !dependents.isEmpty else { return false }
        let all = allDependencies(dependencies, in: pipeline)
        return dependents.contains { all.contains($0.uuid) }
    }

    /// All operations that an operation waits for, directly or not, as far as they are queued in its pipeline.
    func allDependencies(_ dependencies: Set<UUID>, in pipeline: String) -> Set<UUID> {
        let queued = Dictionary(
            self[pipeline].flatMap(\.operations).map { ($0.uuid, $0.dependencies) },
            uniquingKeysWith: { first, _ in first })
        var found: Set<UUID> = []
        var waiting = Array(dependencies)
        while let uuid = waiting.popLast() {
            guard let next = queued[uuid], found.insert(uuid).inserted else { continue }
            waiting += next
        }
        return found
    }
}

// MARK: Changing

extension CloudQueue {
    /// Adds stored operations.
    mutating func load(_ operations: [QueuedOperation]) {
        for (name, operations) in Dictionary(grouping: operations, by: \.pipeline) {
            let numbers = Dictionary(grouping: operations, by: \.row.graph)
            graphs[name] = numbers.sorted { $0.key < $1.key }.map { Graph($0, $1) }
        }
    }

    /// Puts an operation into the graph of its number, which is made if there is none.
    mutating func insert(_ operation: QueuedOperation, isNew: Bool = false) {
        let number = operation.row.graph
        // Taken out, so that the list is changed in its place.
        var graphs = self.graphs.removeValue(forKey: operation.pipeline) ?? []
        var place = graphs.lastIndex { $0.number <= number } ?? -1
        if place < 0 || graphs[place].number != number {
            place += 1
            graphs.insert(Graph(number, isNew: isNew), at: place)
        }
        graphs[place].insert(operation)
        self.graphs[operation.pipeline] = graphs
    }

    mutating func replace(_ operation: QueuedOperation) {
        guard let place = graphIndex(operation.uuid, in: operation.pipeline) else { return }
        graphs[operation.pipeline]![place].replace(operation)
    }

    /// Removes an operation. Its graph stays, so that the places of graphs do not change inside a transaction.
    mutating func remove(_ operation: QueuedOperation) {
        guard let graphs = graphs[operation.pipeline] else { return }
        for place in graphs.indices { self.graphs[operation.pipeline]![place].remove(operation.uuid) }
    }

    mutating func removeAll() { graphs = [:] }

    /// The number of the graph of a commit. It comes after all others, although the file may have been restored from one with
    /// higher numbers.
    func newGraphNumber(_ pipeline: String, commit: Int) -> Int64 {
        if let new = self[pipeline].last(where: \.isNew) { return new.number }
        guard let last = self[pipeline].last?.number, last >= Int64(commit) else { return Int64(commit) }
        return last == .max ? last : last + 1
    }

    /// Called at the end of a transaction. Drops empty graphs. Later operations do not join the graphs of this transaction.
    mutating func endTransaction() {
        for name in graphs.keys {
            graphs[name]!.removeAll { $0.operations.isEmpty }
            for place in graphs[name]!.indices { graphs[name]![place].isNew = false }
        }
    }
}
