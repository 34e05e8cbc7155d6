import ListChanges

/// The SQL types of a secondary index's columns. SQLite converts values to the type where nothing is lost.
public enum YapDatabaseSecondaryIndexType: String, Hashable, Sendable {
    /// Whole numbers, of up to 64 bits.
    case integer = "INTEGER"
    /// Numbers of 64 bits with a floating point.
    case real = "REAL"
    /// Whole numbers if nothing is lost, otherwise numbers with a floating point.
    case numeric = "NUMERIC"
    /// Texts, which are compared by their bytes in UTF-8.
    case text = "TEXT"
    /// Bytes. Values are stored as they are given.
    case blob = "BLOB"
}

/// A column of a secondary index.
public struct YapDatabaseSecondaryIndexColumn: Hashable, Sendable {
    /// The name, by which queries refer to the column.
    public let name: String
    /// The type to which SQLite converts values.
    public let type: YapDatabaseSecondaryIndexType
}

/// The columns of a secondary index, in order. The index copies them when it is created.
///
/// A class, because programs of the original change a `let`.
public final class YapDatabaseSecondaryIndexSetup {
    private(set) var columns: [YapDatabaseSecondaryIndexColumn] = []

    /// Creates a setup without columns.
    public init() {}

    /// - Parameter capacity: the expected number of columns.
    public init(capacity: Int) { columns.reserveCapacity(capacity) }

    /// Adds a column, which gets an index of its own.
    ///
    /// ```swift
    /// let setup = YapDatabaseSecondaryIndexSetup()
    /// setup.addColumn("age", with: .integer)
    /// ```
    ///
    /// - Parameters:
    ///   - name: the name of the column.
    ///   - type: the type to which SQLite converts values.
    /// - Precondition: the name is not empty, has no NUL character, is not `rowid`, `oid` or `_rowid_`, and differs from the
    ///   others in more than case, as SQLite demands.
    public func addColumn(_ name: String, with type: YapDatabaseSecondaryIndexType) {
        requireColumnName(name, others: columns.map(\.name))
        columns.append(YapDatabaseSecondaryIndexColumn(name: name, type: type))
    }

    /// The number of columns.
    public var count: Int { columns.count }

    /// Returns the column with an index; nil if there is none.
    public func column(at index: Int) -> YapDatabaseSecondaryIndexColumn? {
        columns.indices.contains(index) ? columns[index] : nil
    }

    /// Returns the names of the columns, in order.
    public func columnNames() -> [String] { columns.map(\.name) }
}

/// The properties that the columns of an index stand for.
struct IndexDeclaration: Sendable {
    let collection: String
    /// The column of each property.
    let columns: [FieldPath: String]
}
