import Foundation
import SQLiteBridge
import FileEngine

/// Which statements an import may run: its own, and those that it reads from lines.
final class ImportRules: Sendable {
    /// The item that a statement of a line creates.
    enum Kind: String {
        case table, virtual, index, trigger, view
        /// A virtual table of any module: a statement that is compiled and never run.
        case foreign
    }

    /// The kind of the statement that is being prepared; nil for one of the import's own.
    private let current = Locked<Kind?>(nil)
    /// The virtual table that the statement prepared last would create.
    private let virtual = Locked<(name: String, module: String)?>(nil)

    var rules: SQLiteRules {
        var rules = SQLiteRules { [current, virtual] action in
            if case .createVirtualTable(let name, let module) = action { virtual.withLock { $0 = (name, module) } }
            return Self.allows(action, current.withLock { $0 })
        }
        // The tables of virtual tables are filled like all others.
        rules.isDefensive = false
        rules.standsInForMissing = true
        return rules
    }

    func allowing<Value>(_ kind: Kind, _ body: () throws -> Value) rethrows -> Value {
        current.withLock { $0 = kind }
        defer { current.withLock { $0 = nil } }
        return try body()
    }

    /// Returns the name and the module of the virtual table that a text creates; nil if it is no statement that does that
    /// and nothing else. Needs no module.
    func virtualTable(createdBy sql: String, _ store: Store) -> (name: String, module: String)? {
        virtual.withLock { $0 = nil }
        guard let statement = try? allowing(.foreign, { try store.handle.newStatement(sql) }) else { return nil }
        _ = statement
        return virtual.withLock { $0 }
    }

    private static func allows(_ action: SQLiteAction, _ kind: Kind?) -> Bool {
        if case .function(let name) = action { return SQLiteRules.isHarmless(function: name) }
        guard let kind else { return isOwn(action) }
        switch (kind, action) {
        case (.foreign, .createVirtualTable): return true
        case (.virtual, .createVirtualTable(_, let module)): return SQLiteRules.modules.contains(module.lowercased())
        // SQLite does this to create the tables of a virtual table.
        case (.virtual, .select), (.virtual, .read), (.virtual, .write), (.virtual, .createTable), (.virtual, .pragma):
            return true
        case (.table, .createTable), (.trigger, .createTrigger), (.view, .createView): return true
        // A key of a table has an index too.
        case (.table, .createIndex), (.virtual, .createIndex), (.index, .createIndex): return true
        case (.table, .reindex), (.virtual, .reindex), (.index, .reindex): return true
        case (.table, .read), (.index, .read): return true
        case (.foreign, .createTable), (.foreign, .createIndex), (.foreign, .select): return false
        // The schema table.
        case (_, .read(let table)), (_, .write(let table)): return table.lowercased().hasPrefix("sqlite_")
        default: return false
        }
    }

    private static func isOwn(_ action: SQLiteAction) -> Bool {
        switch action {
        case .select, .read, .write, .pragma, .transaction, .dropIndex: true
        default: false
        }
    }
}
