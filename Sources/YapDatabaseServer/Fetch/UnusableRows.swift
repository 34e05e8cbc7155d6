import FileEngine
import Foundation
import PostgreSQLBridge

/// The rows of an answer that no file can take.
struct UnusableRows {
    private(set) var count = 0
    /// The first of them.
    private(set) var examples: [YapDatabaseServerUnusableRow] = []

    private static let exampleLimit = 20

    /// - Returns: the row; nil if no file can have a row of its name. An unusable row with a usable name is returned too: otherwise the
    ///   row that a file has there would be taken for removed.
    mutating func checked(_ row: PostgreSQLRow, kind: Int) throws -> ServerRow? {
        let names = (try row.data(5), try row.data(6))
        guard Self.isName(names.0), Self.isName(names.1) else {
            // A removed one concerns no file.
            if kind != 2 { note(names, "a name is no text, or too long") }
            return nil
        }
        if kind == 3 { note(names, "it has no object, or a value is larger than a file takes") }
        return try ServerRow(row, kind: kind)
    }

    /// Adds the unusable rows of a later answer.
    /// - Parameter isEverything: whether that answer has all rows of the space, so that it replaces what was noted before.
    mutating func note(_ others: UnusableRows, isEverything: Bool) {
        guard !isEverything else { return self = others }
        count += others.count
        for row in others.examples
        where !examples.contains(where: { $0.collection == row.collection && $0.key == row.key }) {
            if examples.count < Self.exampleLimit { examples.append(row) }
        }
    }

    /// Notes a row whose values are not there although they should be.
    mutating func noteIncomplete(_ key: RowKey) {
        note((Data(key.collection.utf8), Data(key.key.utf8)), "the server did not send its object")
    }

    private mutating func note(_ names: (Data, Data), _ reason: String) {
        count += 1
        guard examples.count < Self.exampleLimit else { return }
        let (collection, key) = (String(decoding: names.0, as: UTF8.self), String(decoding: names.1, as: UTF8.self))
        examples.append(YapDatabaseServerUnusableRow(collection: collection, key: key, reason: reason))
    }

    /// Whether a file takes it for a collection or a key.
    static func isName(_ bytes: Data) -> Bool {
        bytes.count <= ServerLimits.name && !bytes.contains(0) && String(validating: bytes, as: UTF8.self) != nil
    }
}
