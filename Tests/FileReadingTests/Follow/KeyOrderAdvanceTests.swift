import Foundation
import SQLiteBridge
import Testing

@testable import FileReading

/// An order advanced to a newer state equals one that is counted from the beginning.
@Suite struct KeyOrderAdvanceTests {
    @Test(arguments: [UInt64(9), 10, 20_261_124], [(4096, "NONE"), (512, "NONE"), (1024, "FULL")])
    func advanceCountsOnlyRowsThatMayHaveChanged(seed: UInt64, layout: (pageSize: Int, vacuum: String)) throws {
        try WriterScene.run(pageSize: layout.pageSize, vacuum: layout.vacuum, rows: 12_000, seed: seed) { scene in
            let collection = StoredText("a")
            var order = try scene.file.snapshot.order(ofCollection: collection)
            // Half of them begin with an order that is not completely counted.
            for _ in 0..<(seed.isMultiple(of: 2) ? 3 : 100) {
                _ = try scene.file.snapshot.work { try order.loadMore($0) }
            }
            var carried = 0
            for step in 0..<30 {
                let old = scene.file.snapshot
                if scene.random.percent(30) {
                    old.loosen()
                    try change(scene)
                    _ = try scene.writer.checkpoint(.restart)
                }
                try change(scene)
                guard let advance = try scene.file.step().prepare() else { continue }
                _ = scene.file.advance(advance, lists: [])
                let (new, table) = (scene.file.snapshot, try scene.file.snapshot.rowTable())
                let fresh = try new.order(ofCollection: collection)
                let keys = LogChanges(from: old, to: new).keys
                let next = try keys.flatMap { keys in
                    try new.work { try order.advanced(to: fresh, keys, table, $0) }
                }
                if next != nil { carried += 1 }
                order = next ?? fresh
                while try new.work({ try order.loadMore($0) }) {}
                try expectTruth(order, new, "seed \(seed), \(layout), step \(step)", &scene.random)
            }
            #expect(carried > 8, "Only \(carried) of 30 steps: seed \(seed), \(layout)")
        }
    }

    private func change(_ scene: WriterScene) throws {
        let key = "k\(String(100_000 + scene.random.below(100_000)).dropFirst())"
        switch scene.random.below(8) {
        case 0:
            // A stretch of keys, whole pages of them.
            try scene.writer.execute(
                """
                DELETE FROM database2 WHERE rowid IN (SELECT rowid FROM database2 WHERE collection = 'a' \
                AND key >= '\(key)' ORDER BY key LIMIT \(scene.random.below(700)))
                """)
        case 1:
            try scene.writer.execute(
                """
                WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 400) \
                INSERT OR REPLACE INTO database2 (collection, key, data) \
                SELECT 'a', '\(key)-' || i, '{}' FROM n
                """)
        case 2:
            // The ends of the collection, and its neighbour.
            try scene.writer.execute(
                "DELETE FROM database2 WHERE collection = 'b' AND key < '\(key)' AND rowid % 7 = 0")
            try scene.writer.execute("INSERT OR REPLACE INTO database2 (collection, key) VALUES ('a', ''), ('a', 'z')")
        default: try scene.commit()
        }
    }

    private func expectTruth(
        _ order: KeyOrder, _ snapshot: FileSnapshot, _ what: String, _ random: inout SplitMix64
    ) throws {
        let truth = try snapshot.work { store in
            try store.all("SELECT rowid FROM database2 WHERE collection = 'a' ORDER BY key") { $0.int64(at: 0) }
        }
        #expect(order.count == RowCount(truth.count), "\(what)")
        let rows = try snapshot.work { store in
            try stride(from: 0, to: truth.count, by: 500).flatMap { try order.rowids(in: $0..<$0 + 500, store) }
        }
        let isSame = rows == truth
        #expect(isSame, "\(what)")
        for _ in 0..<20 where !truth.isEmpty {
            let place = random.below(truth.count)
            #expect(try snapshot.work { try order.place(of: truth[place], $0) } == place, "\(what)")
        }
    }
}
