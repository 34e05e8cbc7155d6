/// An extension whose name another program has registered with another class, layout or version tag.
///
/// The other program's blocks made the stored content. So this program does not show it, and does not write rows, which only
/// those blocks could place. It also does not register the extension again by itself: two programs would rebuild it in turn
/// forever.
struct DisplacedExtension: Sendable {
    let name: String
    let `extension`: YapDatabaseExtension
    /// The entry in the file.
    let stored: RegisteredExtension

    /// Returns nil if the file has what this process registered, up to date or not.
    init?(_ registration: Snapshot.Registration, stored: RegisteredExtension) {
        (name, `extension`, self.stored) = (registration.name, registration.extension, stored.withoutStaleMark)
        if `extension`.isPersistent, self.stored == `extension`.registered { return nil }
    }

    var error: YapDatabaseError {
        YapDatabaseError(
            .badExtension,
            "Another program has registered the extension \"\(name)\" as \(Self.text(stored)), this one as "
                + "\(Self.text(`extension`.registered))\(`extension`.isPersistent ? "" : " in memory"). Give both programs "
                + "the same class, blocks and version tag, or register it again here with `replacing: true`, which takes it over."
        )
    }

    /// The other program runs, and this one would take the name from it.
    var inUse: YapDatabaseError {
        YapDatabaseError(
            .badExtension,
            "Another running program uses the extension \"\(name)\" as \(Self.text(stored)); this one registers it as "
                + "\(Self.text(`extension`.registered))\(`extension`.isPersistent ? "" : " in memory"). Nothing was changed. Give both "
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
