import Glibc
import SQLiteBridge

/// Checks that a cursor's rows come in the requested order, by the bytes of the file.
///
/// SQLite trusts its index, and a damaged index may contain a cycle. Every 64th row is compared with the one that was
/// compared last. An enumeration in which each of these is greater than the last one ends.
package struct CursorOrder {
    package enum Kind {
        case rowid, key, collectionAndKey
    }

    private let kind: Kind
    private var rows: UInt8 = 0
    private var rowid: Int64?
    private var collection = Last()
    private var key = Last()

    package init(_ kind: Kind) { self.kind = kind }

    /// - Parameter statement: positioned on the next row, with the columns rowid, key, collection.
    @inline(__always)
    package mutating func advance(to statement: SQLiteStatement) throws {
        rows &+= 1
        if rows & 63 == 0 { try compare(with: statement) }
    }

    private mutating func compare(with statement: SQLiteStatement) throws {
        let isBehind: Bool
        switch kind {
        case .rowid:
            let next = statement.int64(at: 0)
            isBehind = rowid.map { $0 < next } ?? true
            rowid = next
        case .key:
            isBehind = key.order(to: statement, at: 1) < 0
        case .collectionAndKey:
            let order = collection.order(to: statement, at: 2)
            let keyOrder = key.order(to: statement, at: 1)
            isBehind = order < 0 || order == 0 && keyOrder < 0
        }
        guard isBehind else {
            throw YapDatabaseError(
                .corrupt, "The rows are not in the order of their index, which is damaged. Run `yap check` on the file."
            )
        }
    }

    /// A column's value in the row that was compared last.
    private struct Last {
        /// Less than any.
        private var rank = -1
        private var bytes: [UInt8] = []

        /// Compares the value with the next one in SQLite's order, then replaces it.
        mutating func order(to statement: SQLiteStatement, at column: Int) -> Int32 {
            let nextRank = statement.type(at: column) == .blob ? 1 : 0
            defer { rank = nextRank }
            return statement.withBytes(at: column) { next in
                var order = bytes.withUnsafeBytes { Self.compare($0, next) }
                if rank != nextRank { order = rank < nextRank ? -1 : 1 }
                if order != 0 {
                    bytes.removeAll(keepingCapacity: true)
                    bytes.append(contentsOf: next)
                }
                return order
            }
        }

        private static func compare(_ a: UnsafeRawBufferPointer, _ b: UnsafeRawBufferPointer) -> Int32 {
            guard let first = a.baseAddress, let second = b.baseAddress else {
                return Int32(a.count.signum() - b.count.signum())
            }
            let order = memcmp(first, second, min(a.count, b.count))
            return order != 0 ? order : a.count < b.count ? -1 : a.count == b.count ? 0 : 1
        }
    }
}
