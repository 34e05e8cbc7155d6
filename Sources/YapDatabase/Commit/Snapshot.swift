/// What belongs to one committed state of the database, beside the rows themselves: an immutable value, shared by all
/// connections that read this state.
struct Snapshot: Sendable {
    let mark: Mark
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

    /// What tells one committed state of the file from every other.
    struct Mark: Hashable, Sendable {
        /// The number of the commit that made the state, as it stands in `yap2`. Programs that know nothing of `yap2`
        /// do not count it up.
        var number: Int
        /// SQLite's own counter, which every commit changes; nil where it could not be told.
        var change: UInt32?

        /// The mark of the commit that a writer is about to make on top of this state.
        var next: Mark { Mark(number: number + 1, change: change.map { $0 &+ 1 }) }

        /// Whether this mark is the newer one of two with the same number.
        func isNewer(than other: Mark) -> Bool {
            guard let change, let otherChange = other.change else { return true }
            return Int32(bitPattern: change &- otherChange) > 0
        }

        /// Whether every commit on the way from this mark to a later one was numbered. One that was not is of a program
        /// that knows nothing of extensions, and may have changed rows under them.
        func isNumberedThrough(_ later: Mark) -> Bool {
            guard let change, let laterChange = later.change else { return true }
            return Int(laterChange &- change) == later.number - number
        }
    }

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
        mark: Mark, extensions: [Entry] = [], missing: [Registration] = [], displaced: [DisplacedExtension] = [],
        dormant: Set<String> = []
    ) {
        self.mark = mark
        self.extensions = extensions
        self.missing = missing
        self.displaced = displaced
        self.dormant = dormant
    }

    init(notLoaded mark: Mark) {
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
}
