import SQLiteBridge

/// A small value of `yap2`. The column converts no values, so each keeps its type.
package enum YapValue: Hashable, Sendable {
    case integer(Int64)
    case text(String)
}

extension Store {
    package func yapValue(extension name: String, key: String) throws -> YapValue? {
        try first(
            #"SELECT "data" FROM "yap2" WHERE "extension" = ? AND "key" = ?"#,
            bind: {
                try $0.bind(name, at: 1)
                try $0.bind(key, at: 2)
            },
            read: Self.yapValue) ?? nil
    }

    /// A value as text; nil if there is none.
    package func yapText(extension name: String, key: String) throws -> String? {
        try yapValue(extension: name, key: key)?.text
    }

    /// Stores a text; nil removes it. Writes nothing if it is there already.
    func setYapText(_ text: String?, extension name: String, key: String) throws {
        guard try yapText(extension: name, key: key) != text else { return }
        if let text {
            try setYapValue(.text(text), extension: name, key: key)
        } else {
            try removeYapValue(extension: name, key: key)
        }
    }

    package func setYapValue(_ value: YapValue, extension name: String, key: String) throws {
        // A row that is there is not replaced, because that would also write a page of the index.
        try run(#"UPDATE "yap2" SET "data" = ?3 WHERE "extension" = ?1 AND "key" = ?2"#, value, name, key)
        guard handle.changes == 0 else { return }
        try run(#"INSERT INTO "yap2" ("extension", "key", "data") VALUES (?1, ?2, ?3)"#, value, name, key)
    }

    private func run(_ sql: String, _ value: YapValue, _ name: String, _ key: String) throws {
        try run(sql) {
            try $0.bind(name, at: 1)
            try $0.bind(key, at: 2)
            switch value {
            case .integer(let integer): try $0.bind(integer, at: 3)
            case .text(let text): try $0.bind(text, at: 3)
            }
        }
    }

    package func removeYapValue(extension name: String, key: String) throws {
        try run(#"DELETE FROM "yap2" WHERE "extension" = ? AND "key" = ?"#) {
            try $0.bind(name, at: 1)
            try $0.bind(key, at: 2)
        }
    }

    package func removeYapValues(extension name: String) throws {
        try run(#"DELETE FROM "yap2" WHERE "extension" = ?"#) { try $0.bind(name, at: 1) }
    }

    /// The names of all extensions in `yap2`, sorted.
    package func yapExtensionNames() throws -> [String] {
        try all(#"SELECT DISTINCT "extension" FROM "yap2" WHERE "extension" != '' ORDER BY "extension""#) {
            $0.text(at: 0) ?? ""
        }
    }

    private static func yapValue(_ statement: SQLiteStatement) -> YapValue? {
        switch statement.type(at: 0) {
        case .integer: .integer(statement.int64(at: 0))
        case .null: nil
        default: statement.text(at: 0).map(YapValue.text)
        }
    }
}

extension YapValue {
    var integer: Int64? {
        switch self {
        case .integer(let integer): integer
        case .text(let text): Int64(text)
        }
    }

    package var text: String {
        switch self {
        case .integer(let integer): String(integer)
        case .text(let text): text
        }
    }
}

// MARK: The number of the last commit

extension Store {
    /// No file reaches a larger number by commits. Larger and negative numbers are damage.
    static let largestSnapshotNumber: Int64 = 1 << 52

    /// The number of the last commit in the current snapshot; 0 in a new file and for an invalid value. The next number never
    /// overflows.
    package func snapshotNumber() throws -> Int {
        guard let number = try yapValue(extension: "", key: "snapshot")?.integer,
            (0...Self.largestSnapshotNumber).contains(number)
        else { return 0 }
        return Int(number)
    }

    package func setSnapshotNumber(_ number: Int) throws {
        // Not `setYapValue`, because replacing the row would also write a page of the index in every commit.
        try run(#"UPDATE "yap2" SET "data" = ? WHERE "extension" = '' AND "key" = 'snapshot'"#) {
            try $0.bind(Int64(number), at: 1)
        }
        if handle.changes == 0 { try setYapValue(.integer(Int64(number)), extension: "", key: "snapshot") }
    }
}
