/// One problem of a file.
public struct YapDatabaseProblem: Hashable, Sendable, CustomStringConvertible {
    /// The extension concerned; nil for the rows and the file as a whole.
    public var extensionName: String?
    /// What is wrong, and where.
    public var description: String
    /// Whether the damaged part can be rebuilt from the rows without loss.
    public var canBeRebuilt: Bool
    /// What to do about it.
    public var remedy: String
}

/// The kinds of damage and their remedies.
extension YapDatabaseProblem {
    /// Damage to the content of an extension.
    static func inExtension(_ name: String, _ description: String, followsFromRows: Bool) -> YapDatabaseProblem {
        YapDatabaseProblem(
            extensionName: name, description: description, canBeRebuilt: followsFromRows,
            remedy: followsFromRows
                ? "Register \"\(name)\" with another version tag to rebuild it from the rows. Nothing is lost."
                : "Restore a backup. The content of \"\(name)\" was added by hand and cannot be rebuilt from the rows.")
    }

    /// What the original leaves behind when it removes a row.
    static func leftByOriginal(_ name: String, _ description: String) -> YapDatabaseProblem {
        YapDatabaseProblem(
            extensionName: name, description: description, canBeRebuilt: true,
            remedy: "Register \"\(name)\" once with this library, which removes it. Nothing is lost.")
    }

    /// Damage to the rows or to the structure that leads to them.
    static func inRows(_ description: String, path: String) -> YapDatabaseProblem {
        YapDatabaseProblem(
            extensionName: nil, description: description, canBeRebuilt: false,
            remedy: "Restore a backup. Without one, copy what can still be read: "
                + "yap export --to - '\(path)' | yap import - NEW-FILE")
    }

    /// A part of the schema that no release of the library makes.
    static func foreign(_ description: String, path: String) -> YapDatabaseProblem {
        YapDatabaseProblem(
            extensionName: nil, description: description, canBeRebuilt: false,
            remedy:
                "No YapDatabase makes it, and other programs that open the file may run it. See what it does: sqlite3 "
                + "'\(path)' .schema. If you did not add it, do not trust the content of the file.")
    }

    /// Values of another format than most of their collection. Only a program that decodes them can find these.
    package static func inValues(_ description: String) -> YapDatabaseProblem {
        YapDatabaseProblem(
            extensionName: nil, description: description, canBeRebuilt: false,
            remedy:
                "Restore these values from a backup, or have the app write them again. The rows themselves are there: "
                + "yap browse shows what can be decoded.")
    }

    /// Rows that a program could not decode when it kept the extension.
    static func leftOut(_ name: String, _ description: String) -> YapDatabaseProblem {
        YapDatabaseProblem(
            extensionName: name, description: "extension \"\(name)\": \(description)", canBeRebuilt: true,
            remedy:
                "Overwrite or remove such rows, or register \"\(name)\" with a program that decodes them. All other rows are where "
                + "they belong.")
    }

    /// A change that was neither finished nor rolled back.
    static func unfinished(_ description: String) -> YapDatabaseProblem {
        YapDatabaseProblem(
            extensionName: nil, description: description, canBeRebuilt: false,
            remedy: "Open a copy of the file and of its journal with a program that may write, and check the copy.")
    }

    /// Damage to an index of the rows.
    static func inIndex(_ description: String, path: String) -> YapDatabaseProblem {
        YapDatabaseProblem(
            extensionName: nil, description: description, canBeRebuilt: true,
            remedy: "Rebuild the indexes: sqlite3 '\(path)' REINDEX. The rows are intact, and nothing is lost.")
    }

    /// Damage outside all tables: to the list of free pages or the pointer map.
    static func betweenTables(_ description: String, path: String) -> YapDatabaseProblem {
        YapDatabaseProblem(
            extensionName: nil, description: "between the tables: \(description)", canBeRebuilt: true,
            remedy: "A copy rebuilds the space between the tables: sqlite3 '\(path)' \"VACUUM INTO 'NEW-FILE'\"")
    }
}
