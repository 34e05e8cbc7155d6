/// What the statements of a handle may do: called once for each action of a statement when it is prepared.
///
/// A schema comes from the file and so from an unknown author. Rules allow only what the program itself does, whatever
/// names the file gives its tables.
public struct SQLiteRules: Sendable {
    /// Whether SQLite protects the tables of its virtual tables from direct writes.
    public var isDefensive = true
    /// Whether statements about a table compile whose collations or functions only the program has that made the file. They
    /// fail when they need one of these.
    public var standsInForMissing = false
    let allows: @Sendable (SQLiteAction) -> Bool

    public init(_ allows: @escaping @Sendable (SQLiteAction) -> Bool) { self.allows = allows }
}

/// One action of a statement.
public enum SQLiteAction: Hashable, Sendable {
    /// A query, or a subquery of another statement.
    case select
    case read(table: String)
    /// Inserts, changes or deletes rows.
    case write(table: String)
    case createTable(String)
    case createIndex(table: String)
    case createVirtualTable(String, module: String)
    case createView
    case createTrigger
    case dropTable(String)
    case dropIndex(table: String)
    /// Fills an index.
    case reindex
    case function(String)
    case pragma(String)
    /// Begins or ends a transaction, or a part of one.
    case transaction
    /// Anything else: attaching a file, altering a table, creating temporary items.
    case other
}
