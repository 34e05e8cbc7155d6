/// What belongs to one committed state of the database, beside the rows themselves: an immutable value, shared by all
/// connections that read this state.
struct Snapshot: Sendable {
    let mark: FileVersion
    /// The extensions that this process has registered, in the order of their registration.
    var extensions: [Entry] = []
    /// Extensions that this process has registered, but that cannot be used in this state: another process changed rows
    /// without keeping them in step, or dropped them. The next write of this process makes them anew.
    var missing: [Registration] = []
    /// Extensions that this process has registered, but that another program arranges in this state.
    var displaced: [DisplacedExtension] = []
    /// Extensions that the file remembers as up to date, though nobody in this process keeps them so.
    var dormant: Set<String> = []
    /// False for a state that another process made and that nobody here has looked at: only its mark is known.
    private(set) var isLoaded = true

    /// An extension under its name.
    struct Registration: Sendable {
        let name: String
        let `extension`: YapDatabaseExtension
        /// Whether what the file has of it must not be believed, although nothing there says so.
        var mustBeMadeAnew = false
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

    var number: Int { mark.number }

    /// Everything that this process has registered.
    var registrations: [Registration] {
        extensions.map { Registration(name: $0.name, extension: $0.extension) } + missing
            + displaced.map { Registration(name: $0.name, extension: $0.extension) }
    }

    func entry(_ name: String) -> Entry? { extensions.first { $0.name == name } }

    /// Whether the logs lead from one state to this one, as far as the extensions can tell. One that either state lacks is
    /// reloaded, so its logs do not matter.
    func isReached(from before: Snapshot, by logs: [[String: any ExtensionLog]]) -> Bool {
        Set(logs.flatMap(\.keys)).allSatisfy { name in
            guard let from = before.entry(name)?.state, let to = entry(name)?.state else { return true }
            return to.isReached(from: from, by: logs.compactMap { $0[name] })
        }
    }
}
