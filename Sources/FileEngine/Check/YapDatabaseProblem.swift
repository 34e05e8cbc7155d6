import SQLiteBridge

/// One problem of a file.
public struct YapDatabaseProblem: Hashable, Sendable, CustomStringConvertible {
    /// The extension concerned; nil for the rows and the file as a whole.
    public var extensionName: String?
    /// What is wrong, and where.
    public var description: String
    /// What it means for the content of the file.
    public var kind: Kind
    /// Whether the damaged part can be rebuilt from the rows without loss.
    public var canBeRebuilt: Bool { kind == .rebuildable }
    /// What to do about it.
    public var remedy: String

    package init(extensionName: String?, description: String, kind: Kind, remedy: String) {
        (self.extensionName, self.description) = (extensionName, description)
        (self.kind, self.remedy) = (kind, remedy)
    }

    /// What a problem means for the content of a file, the worst first.
    public enum Kind: String, Hashable, Sendable, CaseIterable {
        /// Content may be lost: rows, or what was added to an extension by hand.
        case loss
        /// What is damaged follows from the rows.
        case rebuildable
        /// It is of another program, which damages nothing.
        case foreign
    }
}

/// The kinds of damage and their remedies.
extension YapDatabaseProblem {
    /// Damage to the content of an extension.
    /// - Parameter kind: that of its tables. What derives rows has the name of the list or the join with which it is declared, and an ending.
    package static func inExtension(
        _ name: String, of kind: TableOwner.Kind? = nil, _ description: String, followsFromRows: Bool
    ) -> YapDatabaseProblem {
        let declared = kind == .derived ? RowTable.list(derivedBy: name) ?? name : name
        return YapDatabaseProblem(
            extensionName: name, description: description, kind: followsFromRows ? .rebuildable : .loss,
            remedy: followsFromRows
                ? "Register \"\(declared)\" with another version tag to rebuild it from the rows, or make a copy that a program fills "
                    + "again: yap repair --to COPY FILE. Nothing is lost."
                : "Restore a backup. The content of \"\(name)\" was added by hand and cannot be rebuilt from the rows. Without a "
                    + "backup, a copy keeps what fits together of it: yap repair --to COPY FILE")
    }

    /// A page of an encrypted file that is not as it was written.
    package static func damagedPage(_ page: Int, path: String) -> YapDatabaseProblem {
        let sentence = PageDecoder.sentence(of: UInt32(clamping: page))
        return .inRows(sentence.prefix(1).uppercased() + sentence.dropFirst(), path: path)
    }

    /// Damage to the rows or to the structure that leads to them.
    static func inRows(_ description: String, path: String) -> YapDatabaseProblem {
        YapDatabaseProblem(
            extensionName: nil, description: description, kind: .loss,
            remedy: "Restore a backup. Without one, make a copy of what can still be read, which names what is lost: "
                + repair(path))
    }

    /// A part of the schema that no release of the library makes.
    static func foreign(_ description: String, path: String) -> YapDatabaseProblem {
        YapDatabaseProblem(
            extensionName: nil, description: description, kind: .foreign,
            remedy:
                "No YapDatabase makes it, and other programs that open the file may run it. See what it does: sqlite3 "
                + "'\(path)' .schema. If you did not add it, do not trust the content of the file.")
    }

    /// A part of another program's that only that can read.
    static func unreadable(_ description: String) -> YapDatabaseProblem {
        YapDatabaseProblem(
            extensionName: nil, description: description, kind: .foreign,
            remedy: "Only the program that made it can check it. What depends on it was left out of this check.")
    }

    /// A part of an extension that could not be checked here.
    package static func unchecked(_ name: String, _ description: String) -> YapDatabaseProblem {
        YapDatabaseProblem(
            extensionName: name, description: description, kind: .foreign,
            remedy: "Nothing is known to be wrong with it. Check the file where that is possible.")
    }

    /// A page that no tree leads to, in a file that is damaged elsewhere too.
    static func strayPage(_ description: String, path: String) -> YapDatabaseProblem {
        YapDatabaseProblem(
            extensionName: nil, description: description, kind: .loss,
            remedy: "Such pages may hold rows that the damaged tables no longer lead to. A copy has them: "
                + repair(path))
    }

    /// Rows that are lost except for their keys.
    package static func lostRows(_ description: String) -> YapDatabaseProblem {
        YapDatabaseProblem(
            extensionName: nil, description: description, kind: .loss,
            remedy: "Restore these rows from a backup, or have the app fetch them again.")
    }

    /// Rows that SQLite does not reach and that an export finds.
    package static func hiddenRows(_ description: String, path: String) -> YapDatabaseProblem {
        YapDatabaseProblem(
            extensionName: nil, description: description, kind: .loss,
            remedy: "They are whole. A copy has them: \(repair(path))")
    }

    /// The command that makes a sound copy of a file.
    private static func repair(_ path: String) -> String { "yap repair --to COPY '\(path)'" }

    /// Values of another format than most of their collection. Only a program that decodes them can find these.
    package static func inValues(_ description: String) -> YapDatabaseProblem {
        YapDatabaseProblem(
            extensionName: nil, description: description, kind: .loss,
            remedy:
                "Restore these values from a backup, or have the app write them again. The rows themselves are there: "
                + "yap browse shows what can be decoded.")
    }

    /// Rows that a program could not decode when it kept the extension.
    static func leftOut(_ name: String, _ description: String) -> YapDatabaseProblem {
        YapDatabaseProblem(
            extensionName: name, description: "extension \"\(name)\": \(description)", kind: .rebuildable,
            remedy:
                "Overwrite or remove such rows, or register \"\(name)\" with a program that decodes them. All other rows are where "
                + "they belong.")
    }

    /// A change that was neither finished nor rolled back.
    static func unfinished(_ description: String) -> YapDatabaseProblem {
        YapDatabaseProblem(
            extensionName: nil, description: description, kind: .loss,
            remedy: "Open a copy of the file and of its journal with a program that may write, and check the copy.")
    }

    /// A commit record that says something else than the file.
    package static func falseRecord(_ description: String) -> YapDatabaseProblem {
        YapDatabaseProblem(
            extensionName: nil, description: description, kind: .rebuildable,
            remedy:
                "Close all programs that have the file open: the records of commits go with the last of them, and each program then "
                + "shows what the file has. No YapDatabase makes such a record: find the program that wrote it.")
    }

    /// Mutations that do not fit what they have replaced.
    package static func inOutbox(_ description: String) -> YapDatabaseProblem {
        YapDatabaseProblem(
            extensionName: nil, description: description, kind: .rebuildable,
            remedy:
                "The rows are intact, and nothing that the server has is lost. The next contact with the server applies what is pending again "
                + "and leaves these out: open the file with its server.")
    }

    /// A summary of the mutations that is not that of their records.
    package static func inOutboxSummary(_ description: String) -> YapDatabaseProblem {
        YapDatabaseProblem(
            extensionName: nil, description: "the summary of the mutations \(description)", kind: .rebuildable,
            remedy:
                "Nothing is lost: the mutations themselves say which of them wait, and the next one that is made or sent stores a right summary. "
                + "An older release of the library believes the summary: do not open the file with one before.")
    }

    /// Damage to an index of the rows.
    static func inIndex(_ description: String, path: String) -> YapDatabaseProblem {
        YapDatabaseProblem(
            extensionName: nil, description: description, kind: .rebuildable,
            remedy: "Rebuild the indexes: sqlite3 '\(path)' REINDEX. The rows are intact, and nothing is lost.")
    }

    /// Damage outside all tables: to the list of free pages or the pointer map.
    static func betweenTables(_ description: String, path: String) -> YapDatabaseProblem {
        YapDatabaseProblem(
            extensionName: nil, description: "between the tables: \(description)", kind: .rebuildable,
            remedy: "A copy rebuilds the space between the tables: sqlite3 '\(path)' \"VACUUM INTO 'NEW-FILE'\"")
    }
}
