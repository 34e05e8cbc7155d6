import FileEngine

extension Error {
    /// What happened and what to do about it, without codes and statements.
    var sentence: String { (self as? YapDatabaseError)?.message ?? "\(self)" }
}

extension YapDatabaseError {
    /// Whether a part of the file is at fault while others may still be readable.
    package var isDamage: Bool { code == .corrupt || code == .inputOutput }

    static let endlessIndex = YapDatabaseError(
        .corrupt, "The index of the keys has a cycle. Run `yap check` on the file.")
}
