import ListChanges
import SQLiteBridge

/// The two ways to name one row.
package enum RowAddress {
    case key(RowKey)
    case rowid(Int64)
}

/// Which of a row's two values a query reads.
package enum RowColumns: Hashable {
    case object
    case metadata
    case both
}

/// The bytes of one row, valid inside the closure that gets it.
public struct StoredRow {
    @usableFromInline let statement: SQLiteStatement
    @usableFromInline let objectColumn: Int
    @usableFromInline let metadataColumn: Int

    init(_ statement: SQLiteStatement, objectColumn: Int, metadataColumn: Int) {
        self.statement = statement
        self.objectColumn = objectColumn
        self.metadataColumn = metadataColumn
    }

    /// The object's bytes; nil where the column is NULL.
    @inlinable package func withObject<Value>(_ body: (UnsafeRawBufferPointer?) throws -> Value) rethrows -> Value {
        try statement.withBlob(at: objectColumn, body)
    }

    /// Bytes of object and metadata.
    package var size: Int { statement.size(at: objectColumn) + metadataSize }

    package var metadataSize: Int { statement.size(at: metadataColumn) }

    /// The metadata's bytes; nil where the row has none.
    @inlinable package func withMetadata<Value>(_ body: (UnsafeRawBufferPointer?) throws -> Value) rethrows -> Value {
        try statement.withBlob(at: metadataColumn, body)
    }
}
