import FileEngine
import Foundation
import PostgreSQLBridge

/// A row as the server has it, with the numbers of the commits that changed it last.
struct ServerRow {
    var key: RowKey
    var isGone: Bool
    /// When it was changed last.
    var changed: Int
    /// When it was inserted, its object set, its metadata set.
    var born: Int
    var objectAt: Int
    var metadataAt: Int
    /// Nil if it did not change since the commit that was asked about, or the row is gone.
    var object: Data?
    /// Nil also if there is none.
    var metadata: Data?
    /// Whether the server has something under this key that no file can take. The file keeps what it has there.
    var isUnusable = false
}

extension ServerRow {
    /// Columns as in ``SpaceSQL/fetch``.
    init(_ row: PostgreSQLRow, kind: Int) throws {
        key = RowKey(collection: try row.text(5), key: try row.text(6))
        isGone = kind == 2
        isUnusable = kind == 3
        changed = try row.int(1)
        born = try row.int(2)
        objectAt = try row.int(3)
        metadataAt = try row.int(4)
        object = row.isNull(7) ? nil : try row.data(7)
        metadata = row.isNull(8) ? nil : try row.data(8)
    }

    /// The bytes that it takes, about.
    var size: Int {
        80 + key.collection.utf8.count + key.key.utf8.count + (object?.count ?? 0) + (metadata?.count ?? 0)
    }

    func write(to writer: inout ByteWriter) {
        writer.write(key.collection)
        writer.write(key.key)
        writer.write((isGone ? 1 : 0) | (object == nil ? 0 : 2) | (metadata == nil ? 0 : 4) | (isUnusable ? 8 : 0))
        for number in [changed, born, objectAt, metadataAt] { writer.write(number) }
        for value in [object, metadata] {
            if let value { writer.write([UInt8](value)) }
        }
    }

    init?(_ reader: inout ByteReader) {
        guard let collection = reader.text(), let key = reader.text(), let flags = reader.int(),
            let changed = reader.int(),
            let born = reader.int(),
            let objectAt = reader.int(), let metadataAt = reader.int()
        else { return nil }
        let object = flags & 2 == 0 ? nil : reader.data().map { Data($0) }
        let metadata = flags & 4 == 0 ? nil : reader.data().map { Data($0) }
        self.init(
            key: RowKey(collection: collection, key: key), isGone: flags & 1 != 0, changed: changed, born: born,
            objectAt: objectAt,
            metadataAt: metadataAt, object: object, metadata: metadata, isUnusable: flags & 8 != 0)
    }
}
