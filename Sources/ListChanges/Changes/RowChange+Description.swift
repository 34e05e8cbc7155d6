extension RowChange: CustomStringConvertible {
    /// One line: `move [0,3] -> [1,0] k7`, with what else is known in brackets.
    public var description: String {
        let paths = [before, after].compactMap { $0?.description }.joined(separator: " -> ")
        let key = key.map { " \($0)" } ?? ""
        return "\(type) \(paths)\(key) (\(flags))"
    }
}

extension SectionChange: CustomStringConvertible {
    /// One line: `insert section 1 away`.
    public var description: String { "\(type) section \(index) \(group)" }
}

extension ChangeFlags: CustomStringConvertible {
    /// The names of the flags: `object, metadata`.
    public var description: String {
        let names: [(ChangeFlags, String)] = [
            (.object, "object"), (.metadata, "metadata"), (.dependency, "dependency"), (.snippets, "snippets"),
        ]
        return names.filter { contains($0.0) }.map(\.1).joined(separator: ", ")
    }
}

extension ChangeSet: CustomStringConvertible {
    /// One line for each change, sections first.
    public var description: String {
        (sectionChanges.map(\.description) + rowChanges.map(\.description)).joined(separator: "\n")
    }
}
