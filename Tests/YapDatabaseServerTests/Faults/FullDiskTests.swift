import Foundation
import PostgreSQLTesting
import TestSupport
import TestTraits
import Testing

@testable import YapDatabaseServer

/// A disk without room, on either side: nothing that was acknowledged is lost, the error says where the transaction is,
/// and everything goes on when there is room again.
@Suite(.needsPostgreSQL, .enabled(if: TinyDisk.isPossible, "mounting needs the superuser"), .serialized)
struct FullDiskTests {
    private static let large = String(repeating: "x", count: 100_000)

    /// Where no other host writes, the row that the server stored alone arrives too, when there is room.
    @Test func theRowArrivesWithoutAnotherCommit() throws {
        try TinyDisk.with(megabytes: 8) { disk in
            let scene = try Scene(PostgreSQLServer.shared.get(), disk)
            let a = try scene.host("a")
            try waitUntil("it follows") { a.server?.state == .live }
            let before = try #require(a.server?.number)
            let filler = try Filler(on: disk)
            let (stored, error) = fill(a)
            #expect(error?.code == .storedOnServerOnly, "\(String(describing: error))")
            #expect(a.server?.number == before + stored, "a commit that the file could not store is not known")
            try filler.remove()
            try waitUntil("the file has it") { try a.string("\(stored)") == Self.large }
            try waitUntil("it is known") { a.server?.number == before + stored + 1 }
            try scene.close(a)
            #expect(try YapDatabase.check(url: disk.appending(path: "a.sqlite")) == [])
        }
    }

    /// A file that has never followed, because its first rows found no room, follows when there is some.
    @Test func theFirstContactFindsNoRoom() throws {
        try withScene { others in
            let b = try others.host("b")
            try b.set(String(repeating: Self.large, count: 30), "large")
            try TinyDisk.with(megabytes: 8) { disk in
                let scene = try Scene(others.server, disk, space: others.space)
                let url = disk.appending(path: "a.sqlite")
                try YapDatabase(url: url, options: .forTests).close()
                let filler = try Filler(on: disk)
                let a = try scene.host("a")
                try waitUntil("it fails") { if case .offline? = a.server?.state { true } else { false } }
                #expect(a.server?.number == 0)
                let error = #expect(throws: (any Error).self) { try a.set("w", "k") }
                #expect((error as? YapDatabaseError)?.code == .diskFull, "\(String(describing: error))")
                try filler.remove()
                try others.expectEqual(a, b)
                try a.set("w", "k")
                try others.expectEqual(a, b)
                try scene.close(a)
                #expect(try YapDatabase.check(url: url) == [])
            }
        }
    }

    @Test func theFilesDiskIsFull() throws {
        try TinyDisk.with(megabytes: 8) { disk in
            let scene = try Scene(PostgreSQLServer.shared.get(), disk)
            let a = try scene.host("a")
            try waitUntil("it follows") { a.server?.state == .live }
            try withTemporaryFolder { folder in
                let other = try Scene(scene.server, folder, space: scene.space)
                let b = try other.host("b")
                let filler = try Filler(on: disk)
                let (stored, error) = fill(a)
                #expect(error?.code == .storedOnServerOnly, "\(String(describing: error))")
                // The server has it, as the error says, and the other host shows it.
                try waitUntil("the other host has it") { try b.string("\(stored)") == Self.large }
                #expect(try a.string("\(stored)") == nil && a.string("\(stored - 1)") == Self.large)
                try b.set("while it is full", "later")
                try filler.remove()
                try scene.expectEqual(a, b)
                try a.set("from a", "end")
                try scene.expectEqual(a, b)
                try other.close(b)
            }
            try scene.close(a)
            #expect(try YapDatabase.check(url: disk.appending(path: "a.sqlite")) == [])
        }
    }

    /// Writes rows until one fails.
    private func fill(_ a: YapDatabase) -> (stored: Int, error: YapDatabaseServerError?) {
        for stored in 0..<200 {
            do { try a.set(Self.large, "\(stored)") } catch { return (stored, error as? YapDatabaseServerError) }
        }
        return (200, nil)
    }

    @Test func theServersDiskIsFull() throws {
        try TinyDisk.with(megabytes: 200) { disk in
            let server = try PostgreSQLServer(
                settings: PostgreSQLServer.survivesKills + ["min_wal_size=32MB", "max_wal_size=32MB"], in: disk)
            defer { server.stop() }
            try withScene(on: server) { scene in
                let (a, b) = (
                    try scene.host("a") { $0.timeout = .seconds(1) }, try scene.host("b") { $0.timeout = .seconds(1) }
                )
                let ledger = Increments(a)
                try ledger.increment()
                let filler = try Filler(on: disk)
                var stored = 0
                var error: YapDatabaseServerError?
                while error == nil, stored < 2_000 {
                    do {
                        try a.set(Self.large + "\(stored)", "\(stored)")
                        stored += 1
                    } catch let thrown as YapDatabaseServerError { error = thrown }
                }
                #expect(
                    [.serverFailed, .serverUnreachable, .outcomeUnknown].contains(error?.code),
                    "\(String(describing: error))")
                #expect(try a.string("0") == Self.large + "0", "reads go on")
                // What the server could not write to, it may have ended over.
                try filler.remove()
                try server.kill()
                try server.start()
                try ledger.increment()
                try scene.expectEqual(a, b)
                #expect(try b.storedRows().keys.filter { $0.collection == "c" }.count >= stored)
                try ledger.check(scene, [a, b])
            }
        }
    }
}

/// A file that takes all the room of a disk but a megabyte.
private struct Filler {
    private let file: URL

    init(on disk: URL) throws {
        file = disk.appending(path: "filler")
        let descriptor = open(file.path, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
        defer { close(descriptor) }
        let zeros = [UInt8](repeating: 0, count: 1 << 16)
        var size = 0
        while true {
            let count = write(descriptor, zeros, zeros.count)
            guard count > 0 else { break }
            size += count
        }
        guard ftruncate(descriptor, max(0, size - (1 << 20))) == 0 else { throw POSIXError(.EIO) }
    }

    func remove() throws { try FileManager.default.removeItem(at: file) }
}
