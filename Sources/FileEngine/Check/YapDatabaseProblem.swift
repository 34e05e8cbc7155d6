/// One thing that is wrong with a file.
public struct YapDatabaseProblem: Hashable, Sendable, CustomStringConvertible {
    /// The extension that it is about; nil for the rows and the file as a whole.
    public var extensionName: String?
    /// What is wrong, and where.
    public var description: String
    /// Whether nothing is lost: what is damaged follows from the rows and can be made anew.
    public var canBeRebuilt: Bool
    /// What to do about it.
    public var remedy: String
}

/// The kinds of damage, with what each asks for.
extension YapDatabaseProblem {
    /// Damage to what an extension keeps.
    static func inExtension(_ name: String, _ description: String, followsFromRows: Bool) -> YapDatabaseProblem {
        YapDatabaseProblem(
            extensionName: name, description: description, canBeRebuilt: followsFromRows,
            remedy: followsFromRows
                ? "Register \"\(name)\" with another version tag: it is made anew from the rows, and nothing is lost."
                : "Restore a backup. What \"\(name)\" holds was put there by hand and does not follow from the rows.")
    }

    /// Damage to the rows themselves, or to what leads to them.
    static func inRows(_ description: String, path: String) -> YapDatabaseProblem {
        YapDatabaseProblem(
            extensionName: nil, description: description, canBeRebuilt: false,
            remedy: "Restore a backup. Without one, what can still be read is copied out by: "
                + "yap export --to - '\(path)' | yap import - NEW-FILE")
    }

    /// A part of the schema that no release of the library makes.
    static func foreign(_ description: String, path: String) -> YapDatabaseProblem {
        YapDatabaseProblem(
            extensionName: nil, description: description, canBeRebuilt: false,
            remedy:
                "No YapDatabase makes it, and other programs that open the file may run it. See what it does: sqlite3 "
                + "'\(path)' .schema. Where you did not put it there, do not trust what the file holds.")
    }

    /// Values that are not what most of their collection are. Found by a look at what they hold, which the library has none of.
    package static func inValues(_ description: String) -> YapDatabaseProblem {
        YapDatabaseProblem(
            extensionName: nil, description: description, canBeRebuilt: false,
            remedy:
                "Restore these values from a backup, or have the app write them again. The rows themselves are there: "
                + "yap browse shows what can be told of them.")
    }

    /// A change that was neither finished nor taken back.
    static func unfinished(_ description: String) -> YapDatabaseProblem {
        YapDatabaseProblem(
            extensionName: nil, description: description, canBeRebuilt: false,
            remedy: "Open a copy of the file and of its journal with a program that may write, and check that.")
    }

    /// Damage to an index of the rows.
    static func inIndex(_ description: String, path: String) -> YapDatabaseProblem {
        YapDatabaseProblem(
            extensionName: nil, description: description, canBeRebuilt: true,
            remedy: "Make the indexes anew: sqlite3 '\(path)' REINDEX. The rows are whole, and nothing is lost.")
    }

    /// Damage outside of all tables: the list of free pages, the pointers for moving pages.
    static func betweenTables(_ description: String, path: String) -> YapDatabaseProblem {
        YapDatabaseProblem(
            extensionName: nil, description: "between the tables: \(description)", canBeRebuilt: true,
            remedy: "What lies between the tables is made anew by a copy: sqlite3 '\(path)' \"VACUUM INTO 'NEW-FILE'\"")
    }
}
