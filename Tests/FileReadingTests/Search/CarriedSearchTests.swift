import Foundation
import SQLiteBridge
import Testing

@testable import FileReading

/// A search under way continues over newer states and finds the same as a new search of the newest one.
@Suite struct CarriedSearchTests {
    private static let subjects: [ListSubject] = [
        .collection(StoredText("a"), by: .key), .collection(StoredText("a"), by: .rowid), .index("n", by: "n"),
    ]

    @Test(arguments: Effort.some([UInt64(4), 5, 20_261_123]), subjects)
    func aSearchOfValuesStaysExactWhileOthersCommit(seed: UInt64, subject: ListSubject) throws {
        try itIsExact("w3", isKeysOnly: false, seed, subject)
    }

    @Test(arguments: Effort.some([UInt64(4), 7, 20_261_124]), subjects)
    func aSearchOfKeysStaysExactWhileOthersCommit(seed: UInt64, subject: ListSubject) throws {
        try itIsExact("7", isKeysOnly: true, seed, subject)
    }

    private func itIsExact(_ pattern: String, isKeysOnly: Bool, _ seed: UInt64, _ subject: ListSubject) throws {
        try WriterScene.run(rows: 700, seed: seed) { scene in
            var list = try open(subject, scene)
            let start = (0, scene.random.below(300))
            func begin() -> ListSearch {
                ListSearch(pattern, list.content, RowDecoder(), isKeysOnly: isKeysOnly, from: start)
            }
            var search = begin()
            for step in 0..<40 {
                if scene.random.percent(70) {
                    if scene.random.percent(20) {
                        scene.file.snapshot.loosen()
                        try scene.commit()
                        _ = try scene.writer.checkpoint(.restart)
                    }
                    try scene.commit()
                    guard let advance = try scene.file.step(lists: [(list, nil)]).prepare() else { continue }
                    _ = scene.file.advance(advance, lists: [list])
                    search = search.carried(to: list.content, touched: advance.touched)
                }
                for _ in 0..<scene.random.below(9) where !search.isDone { search = try search.advanced(until: .now) }
                guard scene.random.percent(20) else { continue }
                while !search.isDone { search = try search.advanced(until: .now + .seconds(1)) }
                try expectTruth(search, pattern, list, "seed \(seed), step \(step)")
                // Sometimes another search begins.
                if scene.random.percent(30) {
                    list = try open(subject, scene)
                    search = begin()
                }
            }
        }
    }

    /// An unchanged row is not searched again.
    @Test func onlyTouchedRowsAreSearchedAgain() throws {
        try WriterScene.run(rows: 2_000, seed: 6) { scene in
            let list = try open(.collection(StoredText("a"), by: .key), scene)
            var search = try ListSearch("w3", list.content, RowDecoder()).advanced(until: .now + .seconds(3_600))
            #expect(search.isDone && search.searched == 1_600)
            let count = search.count
            try scene.writer.execute(#"UPDATE database2 SET data = '{"word":"w3"}' WHERE rowid = 11"#)
            let advance = try #require(try scene.file.step(lists: [(list, nil)]).prepare())
            _ = scene.file.advance(advance, lists: [list])
            search = search.carried(to: list.content, touched: advance.touched)
            // The matches stay until all rows are known.
            #expect(!search.isDone && search.count == count && search.searched > 1_400)
            search = try search.advanced(until: .now + .seconds(3_600))
            #expect(search.isDone && search.count == count + 1 && search.edition == 1)
            try expectTruth(search, "w3", list, "one row")
        }
    }

    private func open(_ subject: ListSubject, _ scene: WriterScene) throws -> BrowsedList {
        let snapshot = scene.file.snapshot
        return try BrowsedList(ListContent(subject, snapshot, catalog: snapshot.catalog(), mustExist: false))
    }

    private func expectTruth(_ search: ListSearch, _ pattern: String, _ list: BrowsedList, _ what: String) throws {
        let fresh = try ListContent(
            list.subject, list.snapshot, catalog: list.snapshot.catalog(), mustExist: false)
        try fresh.loadAll()
        let source = try #require(fresh.sources[fresh.groups[0]])
        let expected = try list.snapshot.read { store in
            try source.rowids(in: 0..<source.count.known, store).enumerated().filter { _, rowid in
                let row = try fresh.row(rowid, valueBytes: 1 << 20, store)
                let value = search.isKeysOnly ? "" : String(decoding: row.object?.bytes ?? [], as: UTF8.self)
                return "\(row.address?.key.text ?? "") \(value)".contains(pattern)
            }.map { ListSearch.Match(group: 0, place: $0.offset, rowid: $0.element) }
        }
        let isExact = (0..<search.count).map { search[$0] } == expected
        #expect(isExact, "\(what), \(list.subject): \(search.count) matches, \(expected.count) expected")
    }
}
