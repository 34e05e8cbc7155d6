import FileEngine
import Foundation
import ListChanges

/// One transaction's access to an extension, valid as long as the transaction. `transaction.ext("order")`
public class YapDatabaseExtensionTransaction {
    // What the core asks of it is in `TransactionHooks`.

    /// The name under which the extension is registered.
    public let name: String
    package unowned let transaction: YapDatabaseReadTransaction
    /// Whether the rows that the extension leaves out became others in this transaction.
    var hasNewProblems = false

    package init(name: String, transaction: YapDatabaseReadTransaction) {
        self.name = name
        self.transaction = transaction
    }
}

/// Reading rows for the blocks of an extension: the one place that decides what happens to a row that cannot be decoded.
extension YapDatabaseExtensionTransaction {
    /// Returns what `decode` makes of a row; nil if the row cannot be decoded, so that the extension must leave it out.
    /// - Parameters:
    ///   - needs: the parts of the row that are decoded.
    ///   - decode: decodes the row, and calls no block of the app, whose errors mean something else.
    @inline(__always) func decoding<Content>(
        _ rowid: Int64, _ key: RowKey, _ needs: RowNeeds, _ decode: () throws -> Content
    ) throws -> Content? {
        let content: Content
        do {
            content = try decode()
        } catch {
            try leaveOut(rowid, key, needs, error)
            return nil
        }
        takeIn(rowid)
        return content
    }

    /// Notes that the extension does not leave out a row.
    @inline(__always) func takeIn(_ rowid: Int64) {
        guard let leftOut = transaction.leftOut, leftOut.hasRows else { return }
        leftOut.add(.back, rowid, of: name)
    }

    /// Whether the extension leaves the row out, so that its blocks have to be asked whatever was changed of it.
    func isLeftOut(_ rowid: Int64) -> Bool {
        guard let leftOut = transaction.leftOut, leftOut.hasRows else { return false }
        return leftOut.isOut(rowid, of: name)
    }

    /// Notes a row that cannot be decoded.
    /// - Throws: the error, if it is another one, and if the app wants it.
    func leaveOut(_ rowid: Int64, _ key: RowKey, _ needs: RowNeeds, _ error: any Error) throws {
        guard let cause = YapDatabaseError(undecodable: error), !transaction.failsOnUndecodableRows else { throw error }
        transaction.leftOut?.add(.out(key, needs.columns, cause), rowid, of: name)
    }

    /// Notes the rows that were met while the extension was filled.
    func leaveOut(_ found: UndecodableRows, _ needs: RowNeeds) {
        for row in found.rows { transaction.leftOut?.add(.out(row.key, needs.columns, row.error), row.rowid, of: name) }
        transaction.leftOut?.add(others: found.others, of: name)
    }
}

extension YapDatabaseReadTransaction {
    /// Whether extensions report a row that cannot be decoded as an error, instead of leaving it out.
    var failsOnUndecodableRows: Bool { connection.database.options.undecodableRows == .fail }

    /// Returns what is decoded of a row that an extension has; nil if that is impossible. Another program may have put it there, which can
    /// decode it.
    @inline(__always) func ifDecodable<Content>(_ decode: () throws -> Content) throws -> Content? {
        do {
            return try decode()
        } catch {
            guard YapDatabaseError(undecodable: error) != nil, !failsOnUndecodableRows else { throw error }
            return nil
        }
    }
}

extension RowNeeds {
    /// The columns that have these parts.
    var columns: RowColumns { self == .object ? .object : self == .metadata ? .metadata : .both }
}
