/// What belongs to one committed state of the database, beside the rows themselves: an immutable value, shared by all
/// connections that read this state.
struct Snapshot: Sendable {
    /// The number of the commit that made the state, as it stands in `yap2`.
    var number: Int
    /// The extensions that this process has registered, in the order of their registration.
    var extensions: [Entry] = []
    /// Extensions that the file remembers as up to date, though nobody in this process keeps them so.
    var dormant: Set<String> = []

    /// One registered extension.
    struct Entry: Sendable {
        let name: String
        let `extension`: YapDatabaseExtension
        var state: any ExtensionState
    }
}

extension Snapshot {
    func entry(_ name: String) -> Entry? { extensions.first { $0.name == name } }
}
