/// What extensions remember from one write transaction of this process to the next. All connections share it.
///
/// Only the connection whose turn it is to write uses it.
final class WriterMemory: @unchecked Sendable {
    // @unchecked: the write gate admits one thread at a time.

    private struct Entry {
        let owner: AnyObject
        let memory: any ExtensionMemory
    }

    /// By the names of the extensions.
    private var entries = NamedValues<Entry>()
    /// The rows that extensions leave out.
    let leftOutRows = LeftOutRows()
    /// The version of the database to which the entries belong.
    private var version: FileVersion?
    private var codings = 0
    private var links = ExtensionLinks([])

    /// Begins a write transaction. Forgets all entries, unless the transaction begins at their version and decodes with the same codings.
    func begin(at version: FileVersion, with codings: CodingTable) {
        let isKnown = version.isExact && version == self.version && codings.version == self.codings
        if !isKnown { entries = NamedValues() }
        leftOutRows.begin(isKnown: isKnown)
        (self.version, self.codings) = (version, codings.version)
    }

    /// Returns the memory of the extension with this name if it was made for this owner, otherwise a new one. The extension updates it
    /// with each write of the transaction.
    /// - Parameter owner: the object on which the memory depends, for example an extension's blocks. Another owner gets a new memory.
    func memory(
        of owner: AnyObject, named name: String, orMake make: () -> any ExtensionMemory
    ) -> any ExtensionMemory {
        if let entry = entries[name], entry.owner === owner { return entry.memory }
        let made = make()
        entries[name] = Entry(owner: owner, memory: made)
        return made
    }

    /// Which of these extensions read from which.
    func links(of extensions: [(name: String, extension: any ExtensionHooks)]) -> ExtensionLinks {
        if !links.isOf(extensions) { links = ExtensionLinks(extensions) }
        return links
    }

    /// Ends a write transaction that was committed.
    /// - Parameter notified: the extensions that were told of its writes. The memory of all others is dropped, because it may be outdated.
    func end(at version: FileVersion, _ notified: ExtensionLinks) {
        self.version = version
        entries.filter { name, entry in
            guard notified.place(of: name) != nil else { return false }
            entry.memory.trim()
            return true
        }
    }

    /// Ends a write transaction that was rolled back. Forgets everything, because extensions may have noted what it wrote.
    func forget() {
        entries = NamedValues()
        leftOutRows.forget()
    }
}
