/// An extension whose name another program has registered with another class, layout or version tag.
///
/// What the file has under the name follows from the other program's blocks, so this one neither shows it nor writes rows,
/// which would have to be put in their places by those blocks. It does not take the name back by itself either: two
/// programs would make the extension anew in turn, for ever.
struct DisplacedExtension: Sendable {
    let name: String
    let `extension`: YapDatabaseExtension
    /// What the file says.
    let stored: RegisteredExtension

    /// Nil where the file has what this process registered, up to date or not.
    init?(_ registration: Snapshot.Registration, stored: RegisteredExtension) {
        (name, `extension`, self.stored) = (registration.name, registration.extension, stored.withoutStaleMark)
        if `extension`.isPersistent, self.stored == `extension`.registered { return nil }
    }

    var error: YapDatabaseError {
        YapDatabaseError(
            .badExtension,
            "Another program has registered the extension \"\(name)\" as \(Self.text(stored)), this one as "
                + "\(Self.text(`extension`.registered))\(`extension`.isPersistent ? "" : " in memory"). Give both programs "
                + "the same class, blocks and version tag, or register it again here, which takes it over.")
    }

    private static func text(_ registered: RegisteredExtension) -> String {
        "\(registered.className) (version \(registered.classVersion)) with the version tag \"\(registered.versionTag)\""
    }
}

extension Snapshot {
    func displaced(_ name: String) -> DisplacedExtension? { displaced.first { $0.name == name } }
}
