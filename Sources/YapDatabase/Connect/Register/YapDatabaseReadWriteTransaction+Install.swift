import FileEngine
import Foundation
import ListChanges

/// Makes extensions part of a read-write transaction and fills them.
extension YapDatabaseReadWriteTransaction {
    /// Rebuilds the extensions that a commit of another process made unusable, each after the extensions on which it depends. An extension
    /// stays missing if it depends on one that another program maintains.
    func restoreMissingExtensions() throws {
        while let index = missing.firstIndex(where: { hasDependencies(of: $0.extension) }) {
            let registration = missing.remove(at: index)
            if registration.mustBeRebuilt, registration.extension.isPersistent {
                try step { try store.markStale(extension: registration.name) }
            }
            try install(registration.extension, registration.name)
        }
    }

    /// Makes the extensions part of the transaction again that were displaced because they read from one that is registered now.
    func restoreReaders() throws {
        while let index = displaced.firstIndex(where: { $0.onlyReads && hasDependencies(of: $0.extension) }) {
            let reader = displaced.remove(at: index)
            try install(reader.extension, reader.name)
        }
    }

    private func hasDependencies(of extension: any ExtensionHooks) -> Bool {
        `extension`.dependencies.isSubset(of: extensions.map(\.name))
            && `extension`.otherDeclaration(among: extensions) == nil
    }

    private func install(_ extension: any ExtensionHooks, _ name: String) throws {
        var begun = [try beginInstalling(`extension`, name, nil)]
        try complete(&begun)
    }

    /// Makes an extension part of the transaction, and creates or loads its tables.
    func beginInstalling(
        _ extension: any ExtensionHooks, _ name: String, _ progress: Progress?
    ) throws -> BegunRegistration {
        try step {
            let wasStored = try store.registeredExtension(name) != nil
            let previous = try takeOverPredecessor(of: `extension`, name)
            forget(name)
            // A list that is filled from another one reads it. Then rows would be derived that come into both.
            try changeRowsOfExtensions(derivesOnly: true)
            // An extension is notified before those that depend on it, even if it is restored after them.
            let place = extensions.firstIndex { $0.extension.dependencies.contains(name) } ?? extensions.endIndex
            extensions.insert((name, `extension`), at: place)
            let made = `extension`.makeTransaction(name: name, transaction: self, state: nil)
            extensionTransactions[name] = made
            let isFilled = previous != `extension`.registered
            if isLoading, isFilled, `extension`.isPersistent { throw NothingToLoad() }
            if isFilled { try forgetLeftOutRows(of: name, isStored: wasStored) }
            let receiver = try made.beginRegister(previous: previous, progress: progress)
            // Rows are read by several connections, which see one state only while no process writes.
            if isLoading, receiver != nil { throw NothingToLoad() }
            if receiver != nil { filling.insert(name) }
            if !isFilled, receiver == nil { try retryLeftOutRows(of: made) }
            return BegunRegistration(
                name: name, extension: `extension`, previous: previous, wasStored: wasStored, receiver: receiver)
        }
    }

    /// Fills the extensions whose registration has begun from the rows, and stores that they are registered.
    func complete(_ begun: inout [BegunRegistration]) throws {
        let registrations = begun
        begun = []
        try step {
            try readRows(for: registrations.compactMap(\.receiver))
            filling.subtract(registrations.map(\.name))
            for registration in registrations where registration.extension.isPersistent {
                let registered = registration.extension.registered
                try storeCollections(of: registration.extension, registration.name)
                guard registration.previous != registered else {
                    try store.replaceOldKeys(of: registered, name: registration.name)
                    continue
                }
                try store.setRegisteredExtension(registered, name: registration.name)
                let formerTag = registration.previous?.withoutStaleMark.versionTag
                if formerTag?.hasSameBytes(as: registered.versionTag) == false {
                    try store.forgetDeclaredTag(extension: registration.name)
                }
                if registration.wasStored { try markFollowersStale() }
            }
        }
    }

    /// Tells programs without the extension which collections do not concern it, and with what it is dropped.
    func storeCollections(of extension: any ExtensionHooks, _ name: String) throws {
        let rule = collectionRule(of: `extension`, tag: `extension`.versionTag)
        try store.setCollectionRule(rule, ofExtension: name)
        try store.setPart(of: `extension`.partOf, extension: name)
    }

    /// The rule for the collections whose rows the extension may hold; nil if these can be all collections.
    ///
    /// An extension without a rule of its own has the rule of an extension on which it depends, because it holds only rows that this one holds.
    private func collectionRule(of extension: any ExtensionHooks, tag: String) -> CollectionRule? {
        if let own = `extension`.collections?.stored(tag: tag) { return own }
        for name in `extension`.dependencies.sorted() {
            guard let needed = extensions.first(where: { $0.name == name })?.extension else { continue }
            if let rule = collectionRule(of: needed, tag: tag) { return rule }
        }
        return nil
    }

    private func readRows(for receivers: [any RowReceiver]) throws {
        guard let first = receivers.first else { return }
        let columns: ScanColumns = receivers.allSatisfy(\.needs.isEmpty) ? .keys : .values
        guard receivers.count > 1 else {
            try enumerateRows(allowedCollections: first.allowedCollections, columns: columns) { row, _ in
                try first.receive(row)
            }
            return try first.end()
        }
        let lists = receivers.map { $0.allowedCollections?.whitelist }
        let all = lists.reduce(into: Set<ExactString>()) { $0.formUnion($1 ?? []) }
        let allowed = lists.contains(nil) ? nil : YapWhitelistBlacklist(only: all)
        let distributor = RowDistributor(receivers, self)
        defer { distributor.stop() }
        try enumerateRows(allowedCollections: allowed, columns: columns) { row, _ in try distributor.add(row) }
        try distributor.end()
    }

    /// Returns the entry in the file from which the new extension can continue; nil if there is none. Drops what was stored under the name if it
    /// is of another class, or if the new extension is in memory only, and what served the former one alone.
    ///
    /// An entry that is lost, or names a class that there is not, costs nothing that was stored by hand: the new extension continues with the
    /// tables as one does whose rows changed while no program updated it.
    private func takeOverPredecessor(of extension: any ExtensionHooks, _ name: String) throws -> RegisteredExtension? {
        let keeps = `extension`.isPersistent && StoredClass(`extension`.className).isMadeByHand
        guard var previous = try store.registeredExtension(name) else {
            guard keeps, try store.hasTables(ofExtension: name) else { return nil }
            var lost = `extension`.registered
            lost.isStale = true
            return lost
        }
        try dropPart(ofFormer: name)
        if keeps, !StoredClass(previous.className).isKnown {
            (previous.className, previous.isStale) = (`extension`.className, true)
            return previous
        }
        if `extension`.isPersistent, previous.className == `extension`.className {
            // The file does not name all rows that are left out. This program may be able to decode them, so it reads all rows again.
            if try store.otherLeftOutRows(extension: name) > 0 { previous.isStale = true }
            return previous
        }
        try dropStored(name)
        return nil
    }
}

/// An extension has to be filled, or is left to another program, which takes a transaction that writes.
struct NothingToLoad: Error {}

extension YapDatabaseExtensionTransaction {
    /// Ends a registration that only loads what is in the file: it is repeated in a transaction that writes.
    func requireWriting() throws {
        if (transaction as? YapDatabaseReadWriteTransaction)?.isLoading == true { throw NothingToLoad() }
    }
}

/// An extension whose registration has begun and that is not filled yet.
struct BegunRegistration {
    let name: String
    let `extension`: any ExtensionHooks
    let previous: RegisteredExtension?
    let wasStored: Bool
    let receiver: (any RowReceiver)?

    var takesRows: Bool { receiver != nil }
    var isLoaded: Bool { previous == `extension`.registered && !takesRows }
}
