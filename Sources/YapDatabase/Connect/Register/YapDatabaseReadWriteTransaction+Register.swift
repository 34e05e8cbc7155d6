import Foundation

/// Registers and unregisters extensions in read-write transactions, so that they belong to a snapshot like rows.
extension YapDatabaseReadWriteTransaction {
    /// Marks each extension as stale that reads from another one and that this process has not registered. Called when an extension was
    /// dropped or filled again: the file does not say from which extension another one reads, so all are marked.
    func markFollowersStale() throws {
        for name in try dormant.filter(store.followsExtension).sorted() {
            try store.markStale(extension: name)
            dormant.remove(name)
        }
    }

    /// Called when the content of an extension changes, perhaps without a change of a row. Marks the extensions as stale that may read from
    /// it and that this process cannot update.
    /// - Throws: ``YapDatabaseError`` if another program maintains an extension that reads from it.
    func noteChange(ofExtension name: String) throws {
        if let displaced = displaced.first(where: { $0.extension.dependencies.contains(name) }) {
            throw displaced.error
        }
        guard !dormant.isEmpty, !followersAreStale else { return }
        try markFollowersStale()
        followersAreStale = true
    }

    func forget(_ name: String) {
        dormant.remove(name)
        displaced.removeAll { $0.name == name }
        missing.removeAll { $0.name == name }
    }

    /// Replaces a registered extension by another instance, which must use the same tables.
    func replaceExtension(_ name: String, with replacement: any ExtensionHooks) {
        guard let index = extensions.firstIndex(where: { $0.name == name }) else {
            fatalError("Only a registered extension can be replaced.")
        }
        extensions[index].extension = replacement
    }

    func unregisterExtension(withName name: String) throws {
        // The tables have the registered spelling, so a name that is equal but has other bytes does not match.
        guard !name.isEmpty, try knownNames().allSatisfy({ $0 != name || $0.utf8.elementsEqual(name.utf8) }) else {
            return
        }
        let dependents = extensions + missing.map { (name: $0.name, extension: $0.extension) }
        if let dependent = dependents.first(where: { $0.extension.dependencies.contains(name) }) {
            throw YapDatabaseError(
                .badExtension,
                "\"\(name)\" is needed by the extension \"\(dependent.name)\". Unregister that one first.")
        }
        // Extensions that derive the rows of one list serve no other list.
        let parts = extensions.first { $0.name == name }?.extension.parts ?? []
        try step {
            if let index = extensions.firstIndex(where: { $0.name == name }) {
                try extensions[index].extension.dropTables(name: name, transaction: self)
                extensions.remove(at: index)
            }
            extensionTransactions[name] = nil
            forget(name)
            try store.dropTables(ofExtension: name)
            try store.removeYapValues(extension: name)
            leftOutRows.removeAll(of: name)
            try markFollowersStale()
        }
        for part in parts { try unregisterExtension(withName: part) }
    }

    /// - Parameter coming: the names of extensions that are registered later in the same call.
    func checkRegistration(
        of extension: any ExtensionHooks, _ name: String, after coming: [String] = []
    ) throws {
        try checkName(name)
        guard !extensions.contains(where: { $0.name == name }), !coming.contains(name) else {
            throw YapDatabaseError(
                .badExtension,
                "There is an extension \"\(name)\" already. Choose another name, or unregister that one first.")
        }
        let missing = `extension`.dependencies.subtracting(extensions.map(\.name) + coming).sorted()
        guard missing.isEmpty else {
            throw YapDatabaseError(
                .badExtension, "\"\(name)\" needs the extension \"\(missing[0])\". Register that one first.")
        }
    }

    /// Throws if another running program has registered something else under the name.
    func checkIsFree(_ name: String, for registered: any ExtensionHooks) throws {
        let file = connection.database.file
        guard let stored = try store.registeredExtension(name),
            let other = DisplacedExtension(Snapshot.Registration(name: name, extension: registered), stored: stored),
            file.isUsedByOthers(extension: name)
        else { return }
        throw other.inUse
    }

    private func checkName(_ name: String) throws {
        guard !name.isEmpty else { throw YapDatabaseError(.badExtension, "An extension needs a name.") }
        guard !name.utf8.contains(0) else {
            throw YapDatabaseError(
                .badExtension,
                "The extension's name \(name.debugDescription) contains a NUL character, which ends the names of tables. Choose a name "
                    + "without it.")
        }
        let namesake = try knownNames().first { known in
            Store.shareTables(known, name) && !known.utf8.elementsEqual(name.utf8)
        }
        if let namesake {
            throw YapDatabaseError(
                .badExtension,
                "The names \"\(name)\" and \"\(namesake)\" differ in case or spelling only, and would share their tables. "
                    + "Choose another name, or unregister \"\(namesake)\" first.")
        }
    }

    /// The names of all extensions that this process has registered or the file has.
    private func knownNames() throws -> [String] {
        try extensions.map(\.name) + displaced.map(\.name) + store.yapExtensionNames()
    }

    /// Returns the entry in the file from which the new extension can continue; nil if there is none. Drops the tables that were stored under
    /// the name if they are of another class, or if the new extension is in memory only.
    func settlePredecessor(of extension: any ExtensionHooks, _ name: String) throws -> RegisteredExtension? {
        guard var previous = try store.registeredExtension(name) else { return nil }
        if `extension`.isPersistent, previous.className == `extension`.className {
            // The file does not name all rows that are left out. This program may be able to decode them, so it reads all rows again.
            if try store.otherLeftOutRows(extension: name) > 0 { previous.isStale = true }
            return previous
        }
        try store.dropTables(ofExtension: name)
        try store.removeYapValues(extension: name)
        return nil
    }
}
