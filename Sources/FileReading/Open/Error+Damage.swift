import FileEngine
import SQLiteBridge

extension Error {
    /// What happened and what to do about it, without codes and statements.
    var sentence: String { (self as? YapDatabaseError)?.message ?? "\(self)" }
}

extension YapDatabaseError {
    /// Whether a value is larger than SQLite may return here.
    var isTooBig: Bool { sqliteCode.map { $0 & 0xff } == SQLiteError.tooBig }

    /// Whether a part of the file is at fault while others may still be readable.
    package var isDamage: Bool { code == .corrupt || code == .inputOutput }

    static let endlessIndex = YapDatabaseError(
        .corrupt, "The index of the keys has a cycle. Run `yap check` on the file.")
}
