import FileEngine
import ListChanges

/// Extensions that lack rows, because programs that do not know them wrote.
extension YapDatabaseReadWriteTransaction {
    /// Looks up the rows as they are now.
    func rowsToPlace(_ rows: MissedChanges) throws -> RowsToPlace {
        var found = RowsToPlace(isAllGone: rows.isAllGone, removed: rows.removed)
        for (key, kind) in rows.changed {
            guard let rowid = try store.rowid(forKey: key) else { continue }
            var flags: ChangeFlags = kind.contains(.object) ? .object : []
            if kind.contains(.metadata) { flags.insert(.metadata) }
            if flags.isEmpty || !kind.isDisjoint(with: [.inserted, .removed]) { flags = [.object, .metadata] }
            found.changed.append(
                ChangedRow(
                    rowid: rowid, key: key, flags: flags, isTouch: false, given: (nil, nil), size: 0, transaction: self)
            )
        }
        found.changed.sort { $0.rowid < $1.rowid }
        return found
    }

    /// Brings extensions up to date at the beginning of a write: places rows in those that only a write can change, and makes sure that
    /// the commit stores what is complete in memory.
    func recoverExtensions() throws {
        guard snapshot.needsRecovery else { return }
        let found = connection.database.recovery.withLock { $0.found }
        let haveNoGoneRows = try takeOutGoneRows(found)
        for (name, registered) in extensions {
            guard let lack = behind[name] else {
                if snapshot.entry(name)?.state.isUnstored == true { _ = hooks(ofExtension: name) }
                continue
            }
            let compared = lack.comparison(found[name])
            if let compared, compared.rows == nil {
                refill(name, registered)
            } else if lack.unknownSince == nil || compared != nil {
                try recover(name, registered, lack, compared, hasGoneRows: !haveNoGoneRows.contains(name))
            }
        }
    }

    /// Takes out rows that are gone before derived rows are written again, which may get the rowids of those that are gone: the lists over them hear of
    /// each as it is written.
    /// - Returns: the names of the extensions that have none of these rows now.
    private func takeOutGoneRows(_ found: [String: ComparedExtension]) throws -> Set<String> {
        guard extensions.contains(where: { $0.extension.derivesRows && behind[$0.name] != nil }) else { return [] }
        var names: Set<String> = []
        for (name, registered) in extensions where !registered.derivesRows {
            guard let lack = behind[name] else { continue }
            let compared = lack.comparison(found[name])
            guard lack.unknownSince == nil || compared?.rows != nil else { continue }
            let rows = lack.rows(with: compared)
            guard rows.isAllGone || !rows.removed.isEmpty, let made = hooks(ofExtension: name) else { continue }
            try step { try made.place(RowsToPlace(isAllGone: rows.isAllGone, removed: rows.removed)) }
            names.insert(name)
        }
        return names
    }

    private func recover(
        _ name: String, _ registered: any ExtensionHooks, _ lack: Behind, _ compared: ComparedExtension?,
        hasGoneRows: Bool
    ) throws {
        guard let made = hooks(ofExtension: name) else { return }
        var toPlace = try rowsToPlace(lack.rows(with: compared))
        if !hasGoneRows { (toPlace.isAllGone, toPlace.removed) = (false, []) }
        toPlace.mayLackOthers = compared != nil || lack.followsMore
        if try compared == nil && !made.canPlace(toPlace) { return refill(name, registered) }
        try step {
            behind[name] = nil
            try made.place(toPlace)
            placed.insert(name)
        }
    }

    private func refill(_ name: String, _ registered: any ExtensionHooks) {
        extensions.removeAll { $0.name == name }
        extensionTransactions[name] = nil
        behind[name] = nil
        missing.append(Snapshot.Registration(name: name, extension: registered, mustBeRebuilt: true))
    }

    /// Takes the stale mark from extensions that are right again and stored now.
    func markRecovered() throws {
        guard snapshot.needsRecovery else { return }
        for (name, registered) in extensions where registered.isPersistent && behind[name] == nil {
            guard let before = snapshot.entry(name), before.state.isUnstored || before.behind != nil else { continue }
            if try store.registeredExtension(name)?.isStale == true {
                try store.setRegisteredExtension(registered.registered, name: name)
            }
        }
    }
}

/// What the comparison of an extension with all rows found.
struct ComparedExtension: Sendable {
    /// The last state after which it was not known which rows changed.
    let unknownSince: FileVersion
    /// Nil if it has to be filled again.
    let rows: MissedChanges?
}

extension Behind {
    /// A comparison, if it was made for this lack.
    fileprivate func comparison(_ found: ComparedExtension?) -> ComparedExtension? {
        found.flatMap { $0.unknownSince == unknownSince ? $0 : nil }
    }

    /// The rows to place, with those that a comparison has found.
    fileprivate func rows(with compared: ComparedExtension?) -> MissedChanges {
        var all = rows
        if let known = compared?.rows { all.formUnion(known) }
        return all
    }
}

extension Snapshot {
    /// Whether an extension is not right, or not in the file.
    var needsRecovery: Bool {
        // By places, because each transaction asks: otherwise the entries are copied.
        extensions.indices.contains { extensions[$0].behind != nil || extensions[$0].state.isUnstored }
    }
    /// Whether an extension is not right.
    var isBehind: Bool { !missing.isEmpty || extensions.contains { $0.behind != nil } }
}
