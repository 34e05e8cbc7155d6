import FileEngine

/// Unregisters and replaces extensions in a read-write transaction, and marks extensions as stale that read from them.
extension YapDatabaseReadWriteTransaction {
    func unregisterExtension(withName name: String) throws {
        // The tables have the registered spelling, so a name that is equal but has other bytes does not match.
        guard !name.isEmpty, try knownNames().allSatisfy({ $0 != name || $0.utf8.elementsEqual(name.utf8) }) else {
            return
        }
        if let dependent = dependent(on: name) {
            throw YapDatabaseError(
                .badExtension,
                "\"\(name)\" is needed by the extension \"\(dependent)\". Unregister that one first.")
        }
        let part = known.first { $0.extension.partOf?.hasSameBytes(as: name) == true }?.name
        try step {
            extensions.removeAll { $0.name == name }
            extensionTransactions[name] = nil
            forget(name)
            try dropStored(name)
            leftOutRows.removeAll(of: name)
            try markFollowersStale()
            if part == nil { try dropPart(ofFormer: name) }
        }
        if let part { try unregisterExtension(withName: part) }
    }

    /// The extensions that this process has registered, also those that it cannot use now.
    private var known: [(name: String, extension: any ExtensionHooks)] {
        extensions + unusable
    }

    /// Those that it cannot use now: another program has dropped them, or registered something else under their names.
    var unusable: [(name: String, extension: any ExtensionHooks)] {
        missing.map { (name: $0.name, extension: $0.extension) }
            + displaced.map { (name: $0.name, extension: $0.extension) }
    }

    /// The name of an extension that needs this one; nil if there is none.
    private func dependent(on name: String) -> String? {
        known.first { $0.extension.dependencies.contains(name) }?.name
    }

    /// Drops what the file has of an extension, whatever its class: its tables, its entry, and rows that it wrote.
    func dropStored(_ name: String) throws {
        let className = try store.registeredExtension(name)?.className
        let kind = connection.database.kinds.first { className.map($0.classNames.contains) == true }
        if let own = kind?.collectionOfOwnRows(name) { try derivingRows { try removeAllObjects(inCollection: own) } }
        try store.dropTables(ofExtension: name)
        try store.removeYapValues(extension: name)
    }

    /// Drops the extension that served the former owner of a name alone, unless this process uses it.
    func dropPart(ofFormer name: String) throws {
        guard let part = try store.part(ofExtension: name), !known.contains(where: { $0.name == part }) else { return }
        if dependent(on: part) == nil { try unregisterExtension(withName: part) }
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
