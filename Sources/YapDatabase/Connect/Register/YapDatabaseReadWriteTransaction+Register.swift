import FileEngine
import Foundation

/// Registers extensions in a read-write transaction, so that they belong to a snapshot like rows.
extension YapDatabaseReadWriteTransaction {
    /// Registers extensions in this order. The rows are read once for all extensions that are filled from them. An extension that reads from
    /// another one of the batch is registered when that one is filled.
    /// - Parameter replacing: whether a name is taken from another running program.
    /// - Returns: the names of the extensions that were not filled, because their tables in the file are up to date.
    func register(
        _ batch: [(name: String, extension: any ExtensionHooks)], replacing: Bool = false, _ progress: Progress?
    ) throws -> [String] {
        try progress?.throwIfCancelled()
        var rest: [(name: String, extension: any ExtensionHooks)] = []
        for (name, registered) in batch {
            if try !replacing && isLeftToAnother(name, registered) { continue }
            rest.append((name, registered))
            // Before the commit, so that of two programs that register at once the second finds the first.
            connection.database.file.use(alsoExtension: name)
        }
        if batch.count > 1 { progress?.totalUnitCount = Int64(batch.count) }
        func part() -> Progress? { batch.count > 1 ? progress?.part() : progress }
        var loaded: [String] = []
        repeat {
            var waiting: [(name: String, extension: any ExtensionHooks)] = []
            var begun: [BegunRegistration] = []
            for (name, registered) in rest {
                try checkRegistration(of: registered, name, after: waiting.map(\.name))
                let needs = registered.dependencies
                let needsBegun = !needs.isDisjoint(with: begun.map(\.name))
                if !needs.isDisjoint(with: waiting.map(\.name)) || needsBegun && begun.contains(where: \.takesRows) {
                    waiting.append((name, registered))
                    continue
                }
                if needsBegun { try complete(&begun) }
                begun.append(try beginInstalling(registered, name, part()))
                if begun[begun.count - 1].isLoaded { loaded.append(name) }
            }
            try complete(&begun)
            rest = waiting
        } while !rest.isEmpty
        try restoreReaders()
        restoreOrder(batch.map(\.name))
        return loaded
    }

    /// Sorts the extensions with these names in this order. All other extensions keep their places.
    private func restoreOrder(_ names: [String]) {
        let ranks = Dictionary(names.enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
        let places = extensions.indices.filter { ranks[extensions[$0].name] != nil }
        let moved = places.map { extensions[$0] }.sorted { ranks[$0.name]! < ranks[$1.name]! }
        guard !zip(places, moved).allSatisfy({ extensions[$0].name == $1.name }) else { return }
        var ordered = extensions
        for (place, one) in zip(places, moved) { ordered[place] = one }
        extensions = ordered
    }

    // MARK: Checks

    /// Checks that an extension can be registered under a name.
    /// - Parameter coming: the names of extensions that are registered later in the same call.
    private func checkRegistration(
        of extension: any ExtensionHooks, _ name: String, after coming: [String] = []
    ) throws {
        try checkName(name)
        try checkIsNew(name, besides: coming)
        let missing = `extension`.dependencies.subtracting(extensions.map(\.name) + coming).sorted()
        guard missing.isEmpty else {
            throw YapDatabaseError(
                .badExtension, "\"\(name)\" needs the extension \"\(missing[0])\". Register that one first.")
        }
        if let reader = readerOfFormer(name, now: `extension`) {
            throw YapDatabaseError(
                .badExtension,
                "\"\(name)\" has rows of another type now, and \"\(reader)\" reads it as it was declared before. Unregister "
                    + "\"\(reader)\" first.")
        }
        if let other = `extension`.otherDeclaration(among: extensions) {
            let registration = Snapshot.Registration(name: name, extension: `extension`)
            throw DisplacedExtension(registration, declaredOverAnother: other).error
        }
    }

    /// An extension that was declared over one of the same name with rows of another type, which this process cannot use now. One that says which
    /// declaration it needs takes care of itself.
    private func readerOfFormer(_ name: String, now extension: any ExtensionHooks) -> String? {
        guard let type = `extension`.declared?.type,
            let former = unusable.first(where: { $0.name.hasSameBytes(as: name) })?.extension.declared?.type,
            former != type
        else { return nil }
        return unusable.first {
            $0.extension.dependencies.contains(name) && $0.extension.neededTags[name] == nil
        }?.name
    }

    /// Leaves an extension to another running program that has declared the same and has set another filter, or other groups, since; and one that
    /// reads from such an extension.
    /// - Returns: whether it did: the extension is displaced.
    /// - Throws: ``YapDatabaseError`` with code `badExtension` if another running program has declared something else under the name.
    private func isLeftToAnother(_ name: String, _ registered: any ExtensionHooks) throws -> Bool {
        let registration = Snapshot.Registration(name: name, extension: registered)
        if let other = displaced.first(where: { registered.dependencies.contains($0.name) }) {
            return try displace(DisplacedExtension(registration, from: other))
        }
        guard let stored = try store.registeredExtension(name),
            let other = DisplacedExtension(registration, stored: stored),
            connection.database.file.isUsedByOthers(extension: name)
        else { return false }
        let declared = RegisteredExtension(
            className: stored.className, classVersion: stored.classVersion,
            versionTag: try store.declaredTag(extension: name) ?? stored.versionTag)
        guard registered.isPersistent, declared == registered.registered else {
            throw DisplacedExtension.inUse(name, registered, stored: stored)
        }
        return try displace(other)
    }

    private func displace(_ other: DisplacedExtension) throws -> Bool {
        try checkName(other.name)
        try checkIsNew(other.name)
        if isLoading { throw NothingToLoad() }
        missing.removeAll { $0.name.hasSameBytes(as: other.name) }
        displaced.removeAll { $0.name.hasSameBytes(as: other.name) }
        displaced.append(other)
        return true
    }

    private func checkIsNew(_ name: String, besides coming: [String] = []) throws {
        guard !extensions.contains(where: { $0.name == name }), !coming.contains(name) else {
            throw YapDatabaseError(
                .badExtension,
                "There is an extension \"\(name)\" already. Choose another name, or unregister that one first.")
        }
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
    func knownNames() throws -> [String] {
        try extensions.map(\.name) + displaced.map(\.name) + store.yapExtensionNames()
    }
}

extension Progress {
    /// The progress of one unit of this one.
    fileprivate func part() -> Progress {
        let part = Progress(totalUnitCount: 1)
        addChild(part, withPendingUnitCount: 1)
        return part
    }
}
