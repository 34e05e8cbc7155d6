import SQLiteBridge
import Testing

@testable import FileReading

/// Between the last write of a commit to the log and the moment at which it is one, its program waits for the disk.
@Suite struct SlowDiskTests {
    @Test func aCommitThatIsOnItsWayIsSeen() throws {
        try WriterScene.run(seed: 1) { scene in
            #expect(!scene.file.snapshot.isBeingWritten)
            // A small cache spills into the log before the commit.
            for sql in ["PRAGMA cache_size = 2", "BEGIN", "UPDATE database2 SET data = randomblob(4000)"] {
                try scene.writer.execute(sql)
            }
            #expect(scene.file.snapshot.isBeingWritten && scene.file.snapshot.isNewest)
            try scene.writer.execute("COMMIT")
            #expect(!scene.file.snapshot.isNewest)
            let next = try #require(try scene.file.step().prepare())
            _ = scene.file.advance(next, lists: [])
            #expect(!scene.file.snapshot.isBeingWritten && scene.file.snapshot.isNewest)
        }
    }
}
