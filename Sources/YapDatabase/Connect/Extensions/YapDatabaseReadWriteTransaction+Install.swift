import Foundation

/// Makes extensions part of a read-write transaction and fills them.
extension YapDatabaseReadWriteTransaction {
    /// Registers extensions in this order, and reads the rows once for as many of them as possible.
    func register(_ batch: [(name: String, extension: YapDatabaseExtension)], _ progress: Progress?) throws {
        try progress?.throwIfCancelled()
        if batch.count > 1 { progress?.totalUnitCount = Int64(batch.count) }
        var begun: [BegunRegistration] = []
        for (name, registered) in batch {
            try checkRegistration(of: registered, name)
            // An extension that reads from another one needs it complete.
            if !registered.dependencies.isDisjoint(with: begun.map(\.name)) { try complete(&begun) }
            let part = batch.count > 1 ? progress?.part() : progress
            begun.append(try beginInstalling(registered, name, part))
        }
        try complete(&begun)
    }

    /// Rebuilds the extensions that a commit of another process made unusable, each after those that it depends on. One that
    /// depends on an extension that another program maintains stays missing.
    func restoreMissingExtensions() throws {
        while let index = missing.firstIndex(where: { hasDependencies(of: $0.extension) }) {
            let registration = missing.remove(at: index)
            if registration.mustBeRebuilt, registration.extension.isPersistent {
                try step { try store.markStale(extension: registration.name) }
            }
            try install(registration.extension, registration.name)
        }
    }

    private func hasDependencies(of extension: YapDatabaseExtension) -> Bool {
        `extension`.dependencies.isSubset(of: extensions.map(\.name))
    }

    private func install(_ extension: YapDatabaseExtension, _ name: String) throws {
        var begun = [try beginInstalling(`extension`, name, nil)]
        try complete(&begun)
    }

    private func beginInstalling(
        _ extension: YapDatabaseExtension, _ name: String, _ progress: Progress?
    ) throws -> BegunRegistration {
        try step {
            let wasStored = try store.registeredExtension(name) != nil
            let previous = try settlePredecessor(of: `extension`, name)
            forget(name)
            // An extension that is restored after others that depend on it is notified before them all the same.
            let place = extensions.firstIndex { $0.extension.dependencies.contains(name) } ?? extensions.endIndex
            extensions.insert((name, `extension`), at: place)
            let made = `extension`.makeTransaction(name: name, transaction: self, state: nil)
            extensionTransactions[name] = made
            let receiver = try made.beginRegister(previous: previous, progress: progress)
            return BegunRegistration(
                name: name, extension: `extension`, previous: previous, wasStored: wasStored, receiver: receiver)
        }
    }

    /// Fills the extensions that have begun from the rows.
    private func complete(_ begun: inout [BegunRegistration]) throws {
        let registrations = begun
        begun = []
        try step {
            try readRows(for: registrations.compactMap(\.receiver))
            for registration in registrations where registration.extension.isPersistent {
                let registered = registration.extension.registered
                guard registration.previous != registered else { continue }
                try store.setRegisteredExtension(registered, name: registration.name)
                if registration.wasStored { try markFollowersStale() }
            }
        }
    }

    private func readRows(for receivers: [any RowReceiver]) throws {
        guard let first = receivers.first else { return }
        let columns: ScanColumns = receivers.contains(where: \.needsValues) ? .values : .keys
        if receivers.count == 1 {
            try enumerateRows(allowedCollections: first.allowedCollections, columns: columns) { row, _ in
                try first.receive(row)
            }
        } else {
            let lists = receivers.map { $0.allowedCollections?.whitelist }
            let all = lists.reduce(into: Set<String>()) { $0.formUnion($1 ?? []) }
            let allowed = lists.contains(nil) ? nil : YapWhitelistBlacklist(whitelist: all)
            try enumerateRows(allowedCollections: allowed, columns: columns) { row, _ in
                let row = row.decodedOnce
                for receiver in receivers where receiver.allowedCollections?.isAllowed(row.key.collection) ?? true {
                    try receiver.receive(row)
                }
            }
        }
        for receiver in receivers { try receiver.end() }
    }
}

/// An extension that is registered, and filled once it has received the rows.
private struct BegunRegistration {
    let name: String
    let `extension`: YapDatabaseExtension
    let previous: RegisteredExtension?
    let wasStored: Bool
    let receiver: (any RowReceiver)?
}

extension Progress {
    /// The progress of one unit of this one.
    fileprivate func part() -> Progress {
        let part = Progress(totalUnitCount: 1)
        addChild(part, withPendingUnitCount: 1)
        return part
    }
}
