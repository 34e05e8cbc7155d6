import Foundation
import ListChanges

/// Makes extensions part of a read-write transaction and fills them.
extension YapDatabaseReadWriteTransaction {
    /// Registers extensions in this order. The rows are read once for all extensions that are filled from them. An extension that reads from
    /// another one of the batch is registered when that one is filled.
    /// - Parameter replacing: whether a name is taken from another running program.
    /// - Returns: the names of the extensions that were not filled, because their tables in the file are up to date.
    func register(
        _ batch: [(name: String, extension: any ExtensionHooks)], replacing: Bool = false, _ progress: Progress?
    ) throws -> [String] {
        try progress?.throwIfCancelled()
        for (name, registered) in batch {
            if !replacing { try checkIsFree(name, for: registered) }
            // Before the commit, so that of two programs that register at once the second finds the first.
            connection.database.file.use(alsoExtension: name)
        }
        if batch.count > 1 { progress?.totalUnitCount = Int64(batch.count) }
        func part() -> Progress? { batch.count > 1 ? progress?.part() : progress }
        var (rest, waiting) = (batch, [(name: String, extension: any ExtensionHooks)]())
        var loaded: [String] = []
        repeat {
            waiting = []
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

    private func hasDependencies(of extension: any ExtensionHooks) -> Bool {
        `extension`.dependencies.isSubset(of: extensions.map(\.name))
    }

    private func install(_ extension: any ExtensionHooks, _ name: String) throws {
        var begun = [try beginInstalling(`extension`, name, nil)]
        try complete(&begun)
    }

    private func beginInstalling(
        _ extension: any ExtensionHooks, _ name: String, _ progress: Progress?
    ) throws -> BegunRegistration {
        try step {
            let wasStored = try store.registeredExtension(name) != nil
            let previous = try settlePredecessor(of: `extension`, name)
            forget(name)
            // An extension is notified before those that depend on it, even if it is restored after them.
            let place = extensions.firstIndex { $0.extension.dependencies.contains(name) } ?? extensions.endIndex
            extensions.insert((name, `extension`), at: place)
            let made = `extension`.makeTransaction(name: name, transaction: self, state: nil)
            extensionTransactions[name] = made
            let isFilled = previous != `extension`.registered
            if isFilled { try forgetLeftOutRows(of: name, isStored: wasStored) }
            let receiver = try made.beginRegister(previous: previous, progress: progress)
            if !isFilled, receiver == nil { try retryLeftOutRows(of: made) }
            return BegunRegistration(
                name: name, extension: `extension`, previous: previous, wasStored: wasStored, receiver: receiver)
        }
    }

    /// Fills the extensions whose registration has begun from the rows, and stores that they are registered.
    private func complete(_ begun: inout [BegunRegistration]) throws {
        let registrations = begun
        begun = []
        try step {
            try readRows(for: registrations.compactMap(\.receiver))
            for registration in registrations where registration.extension.isPersistent {
                let registered = registration.extension.registered
                try storeCollections(of: registration.extension, registration.name)
                guard registration.previous != registered else {
                    try store.replaceOldKeys(of: registered, name: registration.name)
                    continue
                }
                try store.setRegisteredExtension(registered, name: registration.name)
                if registration.wasStored { try markFollowersStale() }
            }
        }
    }

    /// Tells programs without the extension which collections do not concern it.
    func storeCollections(of extension: any ExtensionHooks, _ name: String) throws {
        let rule = collectionRule(of: `extension`, tag: `extension`.versionTag)
        try store.setCollectionRule(rule, ofExtension: name)
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
}

/// An extension between the begin of its registration and the moment when it is filled.
private struct BegunRegistration {
    let name: String
    let `extension`: any ExtensionHooks
    let previous: RegisteredExtension?
    let wasStored: Bool
    let receiver: (any RowReceiver)?

    var takesRows: Bool { receiver != nil }
    var isLoaded: Bool { previous == `extension`.registered && !takesRows }
}

extension Progress {
    /// The progress of one unit of this one.
    fileprivate func part() -> Progress {
        let part = Progress(totalUnitCount: 1)
        addChild(part, withPendingUnitCount: 1)
        return part
    }
}
