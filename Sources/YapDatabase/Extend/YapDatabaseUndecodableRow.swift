import FileEngine
import ListChanges

/// A row that extensions leave out, because its object or metadata cannot be decoded: a value of another shape, that an older or a newer
/// version of the program wrote, or another program.
///
/// The row is in the database: reading it throws ``YapDatabaseError`` with code `decodingFailed`, and it can be overwritten and removed. An
/// extension takes it in when a decodable value is written, or when a program that can decode it registers the extension.
public struct YapDatabaseUndecodableRow: Hashable, Sendable, CustomStringConvertible {
    /// The names of the extensions that leave the row out.
    public let extensionNames: [String]
    /// The collection of the row.
    public let collection: String
    /// The key of the row.
    public let key: String
    /// Why the row cannot be decoded.
    public let cause: String

    init(_ extensionNames: [String], _ key: RowKey, cause: String) {
        self.extensionNames = extensionNames
        (collection, self.key) = (key.collection, key.key)
        self.cause = cause
    }

    public var description: String {
        let names = extensionNames.map { "\"\($0)\"" }.joined(separator: ", ")
        let consequence = names.isEmpty ? "" : " and is left out of \(names)"
        return "\(RowKey(collection: collection, key: key)) cannot be decoded\(consequence): \(cause)"
    }
}

/// What extensions do with rows that cannot be decoded. See ``YapDatabaseOptions/undecodableRows``.
public enum YapDatabaseUndecodableRows: Hashable, Sendable {
    /// They leave the row out, and it is reported.
    case leaveOut
    /// The write that changes the row, or the registration that comes upon it, throws ``YapDatabaseError`` with code `decodingFailed`.
    case fail
}

/// Rows that cannot be decoded, which were met while an extension was filled.
struct UndecodableRows: Sendable {
    struct Row: Sendable {
        let rowid: Int64
        let key: RowKey
        let error: YapDatabaseError
    }

    /// The first of them.
    private(set) var rows: [Row] = []
    /// How many more there are.
    private(set) var others = 0

    mutating func add(_ row: Row) {
        if rows.count < Store.maxLeftOutRows { rows.append(row) } else { others += 1 }
    }

    mutating func add(_ more: UndecodableRows) {
        for row in more.rows { add(row) }
        others += more.others
    }
}

extension YapDatabaseError {
    /// The error, if it says that a row cannot be decoded.
    init?(undecodable error: any Error) {
        guard let error = error as? YapDatabaseError, error.code == .decodingFailed else { return nil }
        self = error
    }

    /// Why the bytes cannot be decoded, without advice.
    var cause: String { underlying.map(decodingCause) ?? message }
}
