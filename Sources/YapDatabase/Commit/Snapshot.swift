/// One committed state of the database without its rows: an immutable value that all connections reading the state share.
struct Snapshot: Sendable {
    let mark: FileVersion
    /// The extensions that this process has registered, in the order of their registration.
    var extensions: [Entry] = []
    /// Extensions that this process has registered but cannot use in this state, because another process changed rows without
    /// updating them, or dropped them. The next write of this process rebuilds them.
    var missing: [Registration] = []
    /// Extensions that this process has registered, but that another program maintains in this state.
    var displaced: [DisplacedExtension] = []
    /// Extensions that the file lists as up to date and that this process has not registered.
    var dormant: Set<String> = []
    /// False for another process's state that no connection has loaded yet, and for an old one: only its version is known.
    private(set) var isLoaded = true
    /// The extensions that an old state had.
    private var former: [String]?

    /// An extension under its name.
    struct Registration: Sendable {
        let name: String
        let `extension`: YapDatabaseExtension
        /// Whether the extension must be rebuilt although the file does not mark it as stale.
        var mustBeRebuilt = false
    }

    /// One registered extension with its state.
    struct Entry: Sendable {
        let name: String
        let `extension`: YapDatabaseExtension
        var state: any ExtensionState
    }
}

extension Snapshot {
    init(
        mark: FileVersion, extensions: [Entry] = [], missing: [Registration] = [], displaced: [DisplacedExtension] = [],
        dormant: Set<String> = []
    ) {
        self.mark = mark
        self.extensions = extensions
        self.missing = missing
        self.displaced = displaced
        self.dormant = dormant
    }

    init(notLoaded mark: FileVersion) {
        self.init(mark: mark)
        isLoaded = false
    }

    /// What stays of an old state.
    var withoutStates: Snapshot {
        guard isLoaded else { return self }
        var rest = Snapshot(notLoaded: mark)
        rest.former = extensions.map(\.name)
        return rest
    }

    /// Whether the state is known to lack an extension.
    func lacks(_ name: String) -> Bool {
        isLoaded ? entry(name) == nil : former?.contains(name) == false
    }

    var number: Int { mark.number }

    /// All extensions that this process has registered.
    var registrations: [Registration] {
        extensions.map { Registration(name: $0.name, extension: $0.extension) } + missing
            + displaced.map { Registration(name: $0.name, extension: $0.extension) }
    }

    func entry(_ name: String) -> Entry? { extensions.first { $0.name == name } }

    /// Whether the logs lead from `before` to this state, as far as the extensions can check. An extension that either state
    /// lacks is reloaded, so its logs are not checked.
    func isReached(from before: Snapshot, by logs: [[String: any ExtensionLog]]) -> Bool {
        Set(logs.flatMap(\.keys)).allSatisfy { name in
            guard let from = before.entry(name)?.state, let to = entry(name)?.state else { return true }
            return to.isReached(from: from, by: logs.compactMap { $0[name] })
        }
    }
}
