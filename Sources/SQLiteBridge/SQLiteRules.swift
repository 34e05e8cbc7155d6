/// What the statements of a handle may do: asked once for each action of a statement, when it is prepared.
///
/// A schema comes from the file, so it may be anybody's. Rules keep to what the program itself means to do, whatever
/// names the file gives its tables.
public struct SQLiteRules: Sendable {
    /// Whether SQLite keeps the tables of its virtual tables from being written by hand.
    public var isDefensive = true
    let allows: @Sendable (SQLiteAction) -> Bool

    public init(_ allows: @escaping @Sendable (SQLiteAction) -> Bool) { self.allows = allows }
}

/// One thing that a statement is about to do.
public enum SQLiteAction: Hashable, Sendable {
    /// A query, or one inside another statement.
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
    /// Anything else: attaches a file, alters a table, makes what is temporary.
    case other
}
