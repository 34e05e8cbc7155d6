/// What extensions remember from one write transaction of this process to the next, whichever connection makes it.
///
/// Belongs to the writers: it is used in their turn only.
final class WriterMemory: @unchecked Sendable {
    // @unchecked: the write gate admits one thread at a time.

    private struct Entry {
        let owner: AnyObject
        let memory: any ExtensionMemory
    }

    /// By the names of the extensions.
    private var entries: [String: Entry] = [:]
    /// The rows that extensions leave out.
    let leftOutRows = LeftOutRows()
    /// The state of which they are, and the version of the codings that decoded the values in them.
    private var version: FileVersion?
    private var codings = 0

    /// Begins a write transaction: forgets what is of another state.
    func begin(at version: FileVersion, with codings: CodingTable) {
        let isKnown = version.isExact && version == self.version && codings.version == self.codings
        if !isKnown { entries = [:] }
        leftOutRows.begin(isKnown: isKnown)
        (self.version, self.codings) = (version, codings.version)
    }

    /// Returns the memory of the extension with this name if it was made for this owner, otherwise a new one. The extension updates it
    /// with each write of the transaction.
    /// - Parameter owner: what decides what is remembered; the same object in later transactions.
    func memory(
        of owner: AnyObject, named name: String, orMake make: () -> any ExtensionMemory
    ) -> any ExtensionMemory {
        if let entry = entries[name], entry.owner === owner { return entry.memory }
        let made = make()
        entries[name] = Entry(owner: owner, memory: made)
        return made
    }

    /// Ends a write transaction that was committed.
    /// - Parameter names: the extensions that were told what it wrote. What others remember may be outdated.
    func end(at version: FileVersion, of names: some Sequence<String>) {
        self.version = version
        for (name, entry) in entries {
            if names.contains(name) { entry.memory.trim() } else { entries[name] = nil }
        }
    }

    /// Ends a write transaction that was rolled back, perhaps after the extensions noted what it wrote.
    func forget() {
        entries = [:]
        leftOutRows.forget()
    }
}
