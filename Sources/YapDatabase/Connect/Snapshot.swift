import FileEngine
import ListChanges

/// One committed state of the database without its rows: an immutable object that all connections reading the state share.
///
/// Each ``Commit`` carries the whole snapshot. A connection that moves from snapshot m to n takes the one of commit
/// n, and drops the cached values that the commits in between changed.
///
/// It is one object because every transaction takes it along.
final class Snapshot: Sendable {
    let version: FileVersion
    /// The extensions that this process has registered, in the order of their registration.
    let extensions: [Entry]
    /// Extensions that this process has registered but cannot use in this state, because another process changed rows without
    /// updating them, or dropped them. The next write of this process rebuilds them.
    let missing: [Registration]
    /// Registered extensions whose names another program has taken in this state, and registered extensions that read from these.
    let displaced: [DisplacedExtension]
    /// Extensions that are up to date in the file and that this process does not maintain: it has not registered them, or they are displaced.
    let dormant: Set<String>
    /// False for another process's state that no connection has loaded yet, and for an old one: only its version is known.
    let isLoaded: Bool
    /// The extensions that an old state had.
    private let former: [String]?

    /// An extension under its name.
    struct Registration: Sendable {
        let name: String
        let `extension`: any ExtensionHooks
        /// Whether the extension must be rebuilt although the file does not mark it as stale.
        var mustBeRebuilt = false
    }

    /// One registered extension with its state.
    struct Entry: Sendable {
        let name: String
        let `extension`: any ExtensionHooks
        private let held: any ExtensionState
        /// What the state lacks of the rows; nil if it is right.
        let behind: Behind?

        init(name: String, extension: any ExtensionHooks, state: any ExtensionState, behind: Behind? = nil) {
            (self.name, self.extension, held, self.behind) = (name, `extension`, state, behind)
        }

        var state: any ExtensionState { held.known ?? held }
    }

    init(
        version: FileVersion, extensions: [Entry] = [], missing: [Registration] = [],
        displaced: [DisplacedExtension] = [],
        dormant: Set<String> = []
    ) {
        self.version = version
        self.extensions = extensions
        self.missing = missing
        self.displaced = displaced
        self.dormant = dormant
        isLoaded = true
        former = nil
    }

    /// - Parameter former: the extensions that an old state had; nil if that is unknown.
    init(notLoaded version: FileVersion, former: [String]? = nil) {
        self.version = version
        (extensions, missing, displaced, dormant) = ([], [], [], [])
        isLoaded = false
        self.former = former
    }
}

extension Snapshot {
    /// What stays of an old state.
    var withoutStates: Snapshot {
        isLoaded ? Snapshot(notLoaded: version, former: extensions.map(\.name)) : self
    }

    /// Whether the state is known to lack an extension.
    func lacks(_ name: String) -> Bool {
        isLoaded ? entry(name) == nil : former?.contains(name) == false
    }

    var number: Int { version.number }

    /// All extensions that this process has registered.
    var registrations: [Registration] {
        extensions.map { Registration(name: $0.name, extension: $0.extension) } + missing
            + displaced.map { Registration(name: $0.name, extension: $0.extension) }
    }

    /// Whether a registered extension cannot be used in this state.
    func isMissing(_ name: String) -> Bool { missing.contains { $0.name.hasSameBytes(as: name) } }

    /// Whether each of these extensions is complete in this state and not displaced. An extension that is not registered counts as complete.
    func isRight(_ names: [String]) -> Bool {
        names.allSatisfy { !isMissing($0) && displaced($0) == nil && entry($0)?.behind == nil }
    }

    /// - Parameter place: where the extension probably is in `extensions`; it is looked for there first. Nil if that is unknown.
    func entry(_ name: String, near place: Int? = nil) -> Entry? {
        if let place, extensions.indices.contains(place), extensions[place].name.hasSameBytes(as: name) {
            return extensions[place]
        }
        return extensions.indices.first { extensions[$0].name.hasSameBytes(as: name) }.map { extensions[$0] }
    }

    /// What is registered in this state, for messages.
    var extensionsForPeople: String {
        if extensions.isEmpty, missing.isEmpty { return "no extensions" }
        let names = extensions.map(\.name) + missing.map { "\($0.name) (to be filled again)" }
        return names.prefix(20).joined(separator: ", ") + (names.count > 20 ? " and others" : "")
    }

    /// Whether the rows that the log of a record names last are where it puts them.
    func hasRows(of logs: [String: any ExtensionLog], in store: Store) throws -> Bool {
        try logs.allSatisfy { name, log in
            guard let entry = entry(name), entry.extension.isPersistent, entry.behind == nil else { return true }
            return try entry.state.hasRows(of: log, name: name, in: store)
        }
    }

    /// Whether the logs lead from `before` to this state, as far as the extensions can check. An extension that either state
    /// lacks is reloaded, so its logs are not checked.
    func isReached(from before: Snapshot, by logs: [[String: any ExtensionLog]]) -> Bool {
        Set(logs.flatMap(\.keys)).allSatisfy { name in
            guard let from = before.entry(name)?.state, let to = entry(name)?.state else { return true }
            return to.isReached(from: from, by: logs.compactMap { $0[name] })
        }
    }
}

/// An extension whose name another program has registered with another class, layout or version tag, or one that reads from such an
/// extension.
///
/// The other program's blocks made the stored content, so this program does not show it. Its writes treat the extension as one that is not
/// registered: docs/decisions/dormant-extensions.md. It does not register the extension again by itself, because two programs would then rebuild
/// it in turn forever.
struct DisplacedExtension: Sendable {
    let name: String
    let `extension`: any ExtensionHooks
    /// The entry in the file; nil for an extension that only reads from a displaced one.
    private let stored: RegisteredExtension?
    /// What is thrown where the extension is asked for.
    let error: YapDatabaseError

    /// Returns nil if the file has what this process registered, up to date or not.
    init?(_ registration: Snapshot.Registration, stored: RegisteredExtension) {
        let stored = stored.withoutStaleMark
        (name, `extension`, self.stored) = (registration.name, registration.extension, stored)
        if `extension`.isPersistent, stored == `extension`.registered { return nil }
        error = YapDatabaseError(
            .badExtension,
            "Another program has registered the extension \"\(name)\" as \(Self.text(stored)), this one as "
                + "\(Self.text(`extension`.registered))\(`extension`.isPersistent ? "" : " in memory"). Give both programs "
                + "the same class, blocks and version tag, or register it again here with `replacing: true`, which takes it over. A list "
                + "whose filter is set while it runs is declared with `isStored: false`."
        )
    }

    /// An extension that reads from a displaced one, whose rows this program does not know.
    init(_ registration: Snapshot.Registration, from displaced: DisplacedExtension) {
        (name, `extension`, stored) = (registration.name, registration.extension, nil)
        error = YapDatabaseError(
            .badExtension,
            "The extension \"\(name)\" reads from \"\(displaced.name)\". \(displaced.error.message)",
            underlying: displaced.error)
    }

    /// An extension that was declared over another list than the one that is registered under its name.
    init(_ registration: Snapshot.Registration, declaredOverAnother list: String) {
        (name, `extension`, stored) = (registration.name, registration.extension, nil)
        error = YapDatabaseError(
            .badExtension,
            "\"\(registration.name)\" was declared over another list \"\(list)\" than the one that is registered. Declare it over that one, or "
                + "register the list that it was declared over.")
    }

    /// Whether it is displaced only because it reads from an extension that is.
    var onlyReads: Bool { stored == nil }

    /// The other program runs, and this one would take the name from it.
    static func inUse(_ name: String, _ `extension`: any ExtensionHooks, stored: RegisteredExtension)
        -> YapDatabaseError
    {
        YapDatabaseError(
            .badExtension,
            "Another running program uses the extension \"\(name)\" as \(text(stored.withoutStaleMark)); this one registers it as "
                + "\(text(`extension`.registered))\(`extension`.isPersistent ? "" : " in memory"). Nothing was changed. Give both "
                + "programs the same class, blocks and version tag, choose another name, end the other program, or register with "
                + "`replacing: true`: then the lists of the other program end with an error.")
    }

    private static func text(_ registered: RegisteredExtension) -> String {
        "\(registered.className) (version \(registered.classVersion)) with the version tag \"\(registered.versionTag)\""
    }
}

extension Snapshot {
    func displaced(_ name: String) -> DisplacedExtension? { displaced.first { $0.name == name } }
}
