import FileEngine

/// Unregisters and replaces extensions in a read-write transaction, and marks extensions as stale that read from them.
extension YapDatabaseReadWriteTransaction {
    func unregisterExtension(withName name: String) throws {
        // The tables have the registered spelling, so a name that is equal but has other bytes does not match.
        guard !name.isEmpty, try knownNames().allSatisfy({ $0 != name || $0.utf8.elementsEqual(name.utf8) }) else {
            return
        }
        let all =
            extensions + missing.map { (name: $0.name, extension: $0.extension) }
            + displaced.map { (name: $0.name, extension: $0.extension) }
        if let dependent = all.first(where: { $0.extension.dependencies.contains(name) }) {
            throw YapDatabaseError(
                .badExtension,
                "\"\(name)\" is needed by the extension \"\(dependent.name)\". Unregister that one first.")
        }
        // Extensions that derive the rows of one list serve no other list.
        let parts = all.first { $0.name.hasSameBytes(as: name) }?.extension.parts ?? []
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

    /// Marks all dormant extensions that read from others as stale: the file does not say from which extension one reads. Called when an extension
    /// was dropped or filled again.
    func markFollowersStale() throws {
        for name in try dormant.filter(store.followsExtension).sorted() {
            try store.markStale(extension: name)
            dormant.remove(name)
        }
    }

    /// Called when the content of any view changes, perhaps without a change of a row. Does ``markFollowersStale()`` once in a transaction.
    func noteViewChange() throws {
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
        // A program that declares it again has the same declaration, whatever it was set to since.
        replacement.declared = extensions[index].extension.declared
        extensions[index].extension = replacement
    }
}
