import Foundation
import SQLiteBridge
import Testing

@testable import FileReading

/// What the log says about two states, against both of them.
@Suite struct TouchedRowsTests {
    @Test(arguments: [UInt64(3), 20_261_122], [(4096, "NONE"), (512, "FULL"), (1024, "NONE")])
    func everyRowThatChangedIsAmongThem(seed: UInt64, layout: (pageSize: Int, vacuum: String)) throws {
        try WriterScene.run(pageSize: layout.pageSize, vacuum: layout.vacuum, seed: seed) { scene in
            var (known, steps) = (0, 50)
            for step in 0..<steps {
                let old = scene.file.snapshot
                let before = try scene.rows()
                // The state is released, so that the log can be restarted meanwhile.
                let isRestarted = scene.random.below(3) == 0
                if isRestarted { old.loosen() }
                for _ in 0...scene.random.below(4) {
                    try scene.commit()
                    if isRestarted, scene.random.percent(40) { _ = try scene.writer.checkpoint(.restart) }
                }
                guard let advance = try scene.file.step().prepare() else { steps -= 1; continue }
                _ = scene.file.advance(advance, lists: [])
                if advance.touched != .all { known += 1 }
                let missed = try scene.rows().filter { before[$0] != $1 && !advance.touched.contains($0) }.keys
                #expect(missed.isEmpty, "seed \(seed), \(layout), step \(step)")
            }
            // If the changes are unknown, every row is searched again.
            #expect(known * 4 > steps, "Only \(known) of \(steps) ways were known: seed \(seed), \(layout)")
        }
    }

    /// After the release the writer overwrites the log from its start, where the first changes after the state are.
    @Test func whatWasWrittenBeforeTheLogIsReleasedStaysKnown() throws {
        for keepsChanges in [true, false] {
            try WriterScene.run(pageSize: 4096, vacuum: "NONE", seed: 5) { scene in
                let old = scene.file.snapshot
                let before = try scene.rows()
                func commit(_ rowid: Int) throws {
                    try scene.writer.execute("UPDATE database2 SET data = '{\"word\":\"new\"}' WHERE rowid = \(rowid)")
                }
                for rowid in 1...40 { try commit(rowid) }
                old.loosen(keepsChanges: keepsChanges)
                _ = try scene.writer.checkpoint(.restart)
                for rowid in 101...300 { try commit(rowid) }
                let advance = try #require(try scene.file.step().prepare())
                _ = scene.file.advance(advance, lists: [])
                #expect((advance.touched != .all) == keepsChanges)
                let missed = try scene.rows().filter { before[$0] != $1 && !advance.touched.contains($0) }.keys
                #expect(missed.isEmpty)
            }
        }
    }

    @Test func withoutALogAnyRowMayHaveChanged() throws {
        try withFile("json") { path in
            let snapshot = try BrowsedFile(path: path).snapshot
            #expect(LogChanges(from: snapshot, to: snapshot).rows == .all)
            #expect(TouchedRows.all.contains(7) && !TouchedRows.none.contains(7))
            #expect(TouchedRows.some([1]).union(.some([2])) == .some([1, 2]) && TouchedRows.none.union(.all) == .all)
        }
    }
}
