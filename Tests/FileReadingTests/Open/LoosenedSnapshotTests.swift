import SQLiteBridge
import Testing
import YapDatabase

@testable import FileReading

/// A state that is held only during reads.
@Suite struct LoosenedSnapshotTests {
    @Test func aLoosenedSnapshotCanBeReadUntilTheNextCommit() throws {
        try WriterScene.run(seed: 7) { scene in
            let snapshot = scene.file.snapshot
            let before = try scene.rows()
            // It is busy at once, without waiting for a reader that does not go.
            try scene.writer.execute("PRAGMA busy_timeout = 0")
            #expect(try scene.writer.checkpoint(.truncate).wasBusy)
            snapshot.loosen()
            #expect(try !scene.writer.checkpoint(.truncate).wasBusy)
            #expect(try scene.rows() == before && snapshot.isNewest)
            // Reading has not held it again.
            #expect(try !scene.writer.checkpoint(.truncate).wasBusy)
            try scene.writer.execute("DELETE FROM database2 WHERE rowid < 10")
            #expect(!snapshot.isNewest)
            for _ in 0..<2 {
                let error = #expect(throws: YapDatabaseError.self) { try scene.rows() }
                #expect(error?.code == .reloadNeeded)
            }
            #expect(try !scene.writer.checkpoint(.truncate).wasBusy)
            let advance = try #require(try scene.file.step().prepare())
            _ = scene.file.advance(advance, lists: [])
            #expect(try scene.rows().count == before.count - 9)
        }
    }

    /// A statement during its run would hold the state as long as it exists.
    @Test func aListThatIsBeingReadGoesOnWhereItWas() throws {
        try WriterScene.run(rows: 25_000, seed: 8) { scene in
            let snapshot = scene.file.snapshot
            let content = try ListContent(.index("n", by: "n"), snapshot, catalog: snapshot.catalog())
            let source = content.sources["n"]!
            #expect(try snapshot.work { try source.loadMore($0) })
            snapshot.loosen()
            #expect(try !scene.writer.checkpoint(.truncate).wasBusy)
            try content.loadAll()
            let all = try snapshot.work { store in
                #expect(source.count == RowCount(25_000))
                return try store.all("SELECT rowid FROM secondaryIndex_n ORDER BY n, rowid") { $0.int64(at: 0) }
            }
            #expect(try snapshot.work { try source.rowids(in: 0..<25_000, $0) } == all)
        }
    }
}
