import FileReading
import Foundation
import SQLiteBridge
import SeededRandom
import Testing
import YapDatabase

@Suite struct FileComparisonTests {
    /// The law: the first file's rows with the differences are the second's, whatever rows they have and at whichever rowids.
    @Test(arguments: 0..<(Effort.isFull ? 60 : 12)) func theFirstWithTheDifferencesIsTheSecond(seed: Int) throws {
        try withTemporaryFolder { folder throws in
            var random = SplitMix64(seed: UInt64(seed))
            let (old, new) = (RandomRows(&random), RandomRows(&random))
            let before = try make(old, folder.appending(path: "a"), startingAt: 1)
            let after = try make(new, folder.appending(path: "b"), startingAt: seed % 3 == 0 ? 5 : 1)
            var rows = old.values
            var comparison = FileComparison(before.snapshot, after.snapshot)
            var last = ""
            try comparison.run(withViews: false) { difference in
                switch difference {
                case .deleted(let row): rows[name(row.address)] = nil
                case .inserted(let row): rows[name(row.address)] = new.values[name(row.address)]
                case .updated(let address, let object, _):
                    #expect(old.values[name(address)] != new.values[name(address)] && !object.isEmpty)
                    rows[name(address)] = new.values[name(address)]
                default: Issue.record("There are no views.")
                }
                let key = difference.name
                #expect(last <= key, "The differences are in the order of the keys.")
                last = key
            }
            #expect(rows == new.values)
            let common = old.values.filter { new.values[$0.key] == $0.value }.count
            #expect(comparison.counts.equal == common)
            #expect(comparison.counts.isEqual == (old.values == new.values))
        }
    }

    @Test(arguments: originalFiles) func aFileIsEqualToItsCopy(name: String) throws {
        try withCopy(of: name) { copy throws in
            let (one, other) = (try BrowsedFile(path: originalFile(name).path), try BrowsedFile(path: copy.path))
            var comparison = FileComparison(one.snapshot, other.snapshot)
            try comparison.run { Issue.record("\($0)") }
            #expect(comparison.counts.isEqual && comparison.notes.isEmpty)
        }
    }

    @Test func placesInViewsAreComparedByRowsNotByRowids() throws {
        try withTemporaryFolder { folder throws in
            let view = YapDatabaseAutoView(
                grouping: .withKeyBlock { _, _, key in key < "k5" ? "low" : "high" },
                sorting: .withObjectBlock { _, _, _, _, a, _, _, b in (a as! String).compare(b as! String) })
            func file(_ name: String, _ rows: [(String, String)]) throws -> BrowsedFile {
                let url = folder.appending(path: name)
                let database = try YapDatabase(url: url)
                database.registerCodableSerialization(String.self, forCollection: nil)
                try database.register(view, withName: "order")
                try database.newConnection().readWrite { transaction in
                    for (key, object) in rows { try transaction.setObject(object, forKey: key, inCollection: nil) }
                }
                try database.close()
                return try BrowsedFile(path: url.path)
            }
            let old = try file("a", [("k1", "a"), ("k2", "b"), ("k3", "c"), ("k7", "x")])
            let new = try file("b", [("k3", "0"), ("k2", "b"), ("k1", "a"), ("k4", "d")])
            var lines: [String] = []
            var comparison = FileComparison(old.snapshot, new.snapshot)
            try comparison.run { lines.append($0.line) }
            #expect(
                lines == [
                    "update /k3", "insert /k4", "delete /k7", "group high of order gone", "place low /k3 2 0",
                    "place low /k4 nil 3",
                ])
        }
    }

    private func make(_ rows: RandomRows, _ url: URL, startingAt rowid: Int) throws -> BrowsedFile {
        try YapDatabase(url: url).close()
        let handle = try SQLiteHandle(path: url.path, mode: .readWrite)
        try handle.execute("BEGIN")
        for (offset, (name, json)) in rows.values.sorted(by: { $0.value < $1.value }).enumerated() {
            let parts = name.split(separator: "/", omittingEmptySubsequences: false)
            try handle.execute(
                "INSERT INTO database2 (rowid, collection, key, data) VALUES (\(rowid + offset), '\(parts[0])', '\(parts[1])', '\(json)')"
            )
        }
        try handle.execute("COMMIT")
        return try BrowsedFile(path: url.path)
    }
}

/// Rows with few keys and values, so that two of them have much in common.
private struct RandomRows {
    /// JSON by collection/key.
    var values: [String: String] = [:]

    init(_ random: inout SplitMix64) {
        let count = [0, 1, 30, 2_500][Int.random(in: 0..<4, using: &random)]
        for _ in 0..<count {
            let collection = ["", "a", "b"].randomElement(using: &random)!
            values["\(collection)/k\(Int.random(in: 0..<(count * 2), using: &random))"] =
                #"{"n":\#(Int.random(in: 0..<3, using: &random)),"t":[1,{"x":"y"}]}"#
        }
    }
}

private func name(_ address: BrowsedRow.Address?) -> String { address.map { "\($0.collection)/\($0.key)" } ?? "?" }

extension FileDifference {
    fileprivate var name: String {
        switch self {
        case .deleted(let row), .inserted(let row): FileReadingTests.name(row.address)
        case .updated(let address, _, _): FileReadingTests.name(address)
        default: ""
        }
    }

    fileprivate var line: String {
        switch self {
        case .deleted: "delete \(name)"
        case .inserted: "insert \(name)"
        case .updated: "update \(name)"
        case .view(let view, let isNew): "view \(view) \(isNew ? "new" : "gone")"
        case .group(let group, let view, let isNew, _): "group \(group) of \(view) \(isNew ? "new" : "gone")"
        case .place(let place):
            "place \(place.group) \(FileReadingTests.name(place.address)) \(place.before.map(String.init) ?? "nil") \(place.after.map(String.init) ?? "nil")"
        }
    }
}
