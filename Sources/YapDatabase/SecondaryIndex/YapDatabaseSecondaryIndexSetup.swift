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

/// A property of a value, by its key path: what a declared list or index goes by.
struct FieldPath: Hashable, Sendable {
    // `AnyKeyPath` is immutable; the standard library declares only literals of key paths as Sendable.
    nonisolated(unsafe) let path: AnyKeyPath

    init(_ path: AnyKeyPath) { self.path = path }

    /// The type of the property.
    var type: any Any.Type { Swift.type(of: path).valueType }

    /// The names of the properties, such as `author.name`; nil if one of them is computed, whose name key paths do not keep.
    var name: String? {
        let text = "\(path)"
        guard text.hasPrefix("\\"), let dot = endOfType(in: text) else { return nil }
        let names = text[text.index(after: dot)...]
        return names.contains("<") ? nil : names.filter { $0 != "?" && $0 != "!" }
    }

    /// The first dot that is not among the arguments of a generic type.
    private func endOfType(in text: String) -> String.Index? {
        var depth = 0
        return text.firstIndex { character in
            if character == "<" { depth += 1 }
            if character == ">" { depth -= 1 }
            return character == "." && depth == 0
        }
    }

    /// The path in messages.
    var description: String { name.map { "\\.\($0)" } ?? "a computed property" }

    /// The name for the property's column. Stops the program for a computed property, whose changes nothing can notice.
    func columnName(for what: String) -> String {
        guard let name else {
            fatalError(
                "\(what) cannot go by the computed property \(path). Store it, or register an extension with a handler."
            )
        }
        return name
    }
}
