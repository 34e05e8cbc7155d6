import Foundation
import Testing

@testable import YapDatabase

/// A journal that outlived its database file says nothing of the next file of that name.
@Suite(.serialized) struct EarlierLifeTests {
    /// The parent and the child must find the same folder, and only the parent's process id is known to both.
    private static func file(_ name: String, of process: Int32) -> URL {
        FileManager.default.temporaryDirectory.appending(path: "yap-lives-\(process)/\(name)")
    }

    private static func say(_ name: String, in process: Int32, _ text: String = "") throws {
        try Data(text.utf8).write(to: file(name, of: process), options: .atomic)
    }

    private static func wait(for name: String, in process: Int32) throws {
        try waitUntil("The other has said \(name)") {
            FileManager.default.fileExists(atPath: file(name, of: process).path)
        }
    }

    @Test func whatAnEarlierFileWasToldIsNotBelieved() async throws {
        let url = Self.file("t.sqlite", of: getpid())
        let folder = url.deletingLastPathComponent()
        defer { try? FileManager.default.removeItem(at: folder) }
        var kept: Data?
        for changed in ["x", "y"] {
            try? FileManager.default.removeItem(at: folder)
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            try kept?.write(to: URL(filePath: url.path + "-commits"))
            try Self.say("key", in: getpid(), changed)
            async let journal = Self.follow(changed)
            await #expect(processExitsWith: .success) { try Self.writeElsewhere() }
            kept = try await journal
            #expect(try YapDatabase.check(url: url) == [])
        }
    }

    /// - Returns: the journal, as a process that is killed leaves it.
    private static func follow(_ changed: String) async throws -> Data? {
        let database = try YapDatabase(url: file("t.sqlite", of: getpid()), options: .forTests)
        try say("open", in: getpid())
        try wait(for: "prepared", in: getpid())
        let reader = try database.newConnection()
        try reader.beginLongLivedReadTransaction()
        func values() throws -> [String?] {
            try reader.read { transaction in
                try ["x", "y"].map { try transaction.object(forKey: $0, inCollection: "c") as? String }
            }
        }
        #expect(try values() == ["v0", "v0"])
        try say("go", in: getpid())
        try wait(for: "done", in: getpid())
        let notifications = try reader.beginLongLivedReadTransaction()
        #expect(try values() == ["x", "y"].map { $0 == changed ? "v1" : "v0" })
        // Known exactly, for the journal does say it.
        for key in ["x", "y"] {
            #expect(reader.hasChange(forKey: key, inCollection: "c", in: notifications) == (key == changed))
        }
        try say("read", in: getpid())
        let journal = FileManager.default.contents(atPath: file("t.sqlite-commits", of: getpid()).path)
        try database.close()
        return journal
    }

    private static func writeElsewhere() throws {
        try wait(for: "open", in: getppid())
        let database = try YapDatabase(url: file("t.sqlite", of: getppid()), options: .forTests)
        let connection = try database.newConnection()
        try connection.readWrite { transaction in
            for key in ["x", "y"] { try transaction.setObject("v0", forKey: key, inCollection: "c") }
        }
        try say("prepared", in: getppid())
        try wait(for: "go", in: getppid())
        let key = try String(contentsOf: file("key", of: getppid()), encoding: .utf8)
        try connection.readWrite { try $0.setObject("v1", forKey: key, inCollection: "c") }
        try say("done", in: getppid())
        try wait(for: "read", in: getppid())
        try database.close()
    }
}
