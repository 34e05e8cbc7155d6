import ListChanges

/// A transaction's access to ``YapDatabaseHooks``, which has nothing to read.
public final class YapDatabaseHooksTransaction: YapDatabaseExtensionTransaction, TransactionHooks {
    private let hooks: YapDatabaseHooks

    init(hooks: YapDatabaseHooks, name: String, transaction: YapDatabaseReadTransaction) {
        self.hooks = hooks
        super.init(name: name, transaction: transaction)
    }

    package func willChange(_ row: PendingWrite) throws {
        guard let block = hooks.willModifyRow, let writer = writer(row.key) else { return }
        let object = YapProxyObject(row.given.object.map { .some($0) }) { [unowned writer] in try writer.object(row.key)
        }
        let metadata = YapProxyObject(row.given.metadata) { [unowned writer] in try writer.metadata(row.key) }
        let flags = YapDatabaseHooksBitMask(row.flags, isTouch: row.isTouch, isNew: row.isNew)
        try block(writer, row.key.collection, row.key.key, object, metadata, flags)
    }

    package func didInsert(_ row: ChangedRow) throws { try didModify(row, isNew: true) }
    package func didUpdate(_ row: ChangedRow) throws { try didModify(row, isNew: false) }

    private func didModify(_ row: ChangedRow, isNew: Bool) throws {
        guard let block = hooks.didModifyRow, let writer = writer(row.key) else { return }
        let flags = YapDatabaseHooksBitMask(row.flags, isTouch: row.isTouch, isNew: isNew)
        let object = YapProxyObject(row.given.object.map { .some($0) }) { [unowned writer] in try writer.object(row.key)
        }
        let metadata = YapProxyObject(row.given.metadata) { [unowned writer] in try writer.metadata(row.key) }
        try block(writer, row.key.collection, row.key.key, object, metadata, flags)
    }

    package func willRemove(_ keys: [RowKey]) throws { try callRemove(hooks.willRemoveRow, keys) }
    package func didRemove(_ rows: [RemovedRow]) throws { try callRemove(hooks.didRemoveRow, rows.map(\.key)) }

    private func callRemove(_ block: YapDatabaseHooks.RemoveRow?, _ keys: [RowKey]) throws {
        guard let block else { return }
        for key in keys {
            if let writer = writer(key) { try block(writer, key.collection, key.key) }
        }
    }

    package func willRemoveAll() throws { try callRemoveAll(hooks.willRemoveAllRows) }
    package func didRemoveAll() throws { try callRemoveAll(hooks.didRemoveAllRows) }

    private func callRemoveAll(_ block: YapDatabaseHooks.RemoveAllRows?) throws {
        guard let writer = transaction as? YapDatabaseReadWriteTransaction else { return }
        try block?(writer)
    }

    /// Returns the transaction, if it reports rows of the key's collection; nil if it does not.
    private func writer(_ key: RowKey) -> YapDatabaseReadWriteTransaction? {
        guard hooks.allowedCollections?.isAllowed(key.collection) ?? true else { return nil }
        return transaction as? YapDatabaseReadWriteTransaction
    }
}

extension YapDatabaseHooksBitMask {
    fileprivate init(_ flags: ChangeFlags, isTouch: Bool, isNew: Bool) {
        self = isTouch ? [] : isNew ? .insertedRow : .updatedRow
        if flags.contains(.object) { insert(isTouch ? .touchedObject : .changedObject) }
        if flags.contains(.metadata) { insert(isTouch ? .touchedMetadata : .changedMetadata) }
    }
}

/// A row's object or metadata, which is read when the block uses it. Valid inside the block that receives it.
public final class YapProxyObject {
    private enum Content {
        case loaded(Any?)
        case unread(() throws -> Any?)
    }

    private var content: Content

    /// - Parameter given: nil if the value is not loaded, `.some(nil)` if the row has none.
    init(_ given: Any??, orElse read: @escaping () throws -> Any?) {
        if let given { content = .loaded(given) } else { content = .unread(read) }
    }

    /// Whether the value is loaded already, so that ``realObject`` costs nothing.
    public var isRealObjectLoaded: Bool {
        if case .loaded = content { true } else { false }
    }

    /// The value; nil if there is none. It is read and decoded at the first use, unless it is loaded already.
    /// - Throws: ``YapDatabaseError`` with code `decodingFailed` if the value cannot be decoded; `corrupt`, `inputOutput` or
    ///   `interrupted` if the file cannot be read.
    public var realObject: Any? {
        get throws {
            switch content {
            case .loaded(let value): return value
            case .unread(let read):
                let value = try read()
                content = .loaded(value)
                return value
            }
        }
    }
}
