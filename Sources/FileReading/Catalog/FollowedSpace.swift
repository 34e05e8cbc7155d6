import FileEngine

/// The space on a server that a file follows, as the file says it: the value `server` of `yap2`, which
/// `YapDatabaseServer` writes.
package struct FollowedSpace: Hashable, Sendable {
    package var name: String
    /// The last commit of the space that the file has.
    package var number: Int

    /// Nil if the file follows none, or its value is damaged.
    init?(_ store: Store) {
        guard let text = try? store.yapText(extension: "", key: "server") else { return nil }
        let parts = text.split(separator: "\n", maxSplits: 6, omittingEmptySubsequences: false)
        guard parts.count == 7, parts[0] == "1", let number = Int(parts[1]) else { return nil }
        self.name = String(parts[6])
        self.number = number
    }
}
