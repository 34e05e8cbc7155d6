import Foundation
import TestSupport
import Testing

@testable import ChatRoster

/// The rights of a new chat's file.
@Suite struct SharedFileTests {
    private func mode(_ path: String) throws -> Int {
        try #require(try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int)
    }

    @Test func aFileIsMadeAsTheUmaskSaysOrForTheGroup() throws {
        try withTemporaryFolder { folder throws in
            let (plain, shared) = (folder.appending(path: "plain.sqlite"), folder.appending(path: "shared.sqlite"))
            try ChatDatabase(url: plain, as: "alice").close()
            #expect(try mode(plain.path) & 0o022 == 0, "the umask of the tests leaves no right to write")
            let chat = try ChatDatabase(url: shared, as: "alice", isForGroup: true)
            for name in ["", "-wal", "-shm"] { #expect(try mode(shared.path + name) == 0o660, "\(name)") }
            try chat.close()
            // What is there stays.
            try ChatDatabase(url: plain, as: "alice", isForGroup: true).close()
            #expect(try mode(plain.path) & 0o022 == 0)
        }
    }

    @Test func inAFolderOfAGroupItIsTheGroups() throws {
        try withTemporaryFolder { folder throws in
            let place = folder.appending(path: "shared")
            try FileManager.default.createDirectory(at: place, withIntermediateDirectories: false)
            #expect(chmod(place.path, 0o2770) == 0)
            let url = place.appending(path: "chat.sqlite")
            let chat = try ChatDatabase(url: url, as: "alice")
            for name in ["", "-wal", "-shm"] { #expect(try mode(url.path + name) == 0o660, "\(name)") }
            try chat.close()
        }
    }

    @Test func theUsersOwnFileGetsNoHelp() throws {
        try withTemporaryFolder { folder throws in
            let url = folder.appending(path: "chat.sqlite")
            try ChatDatabase(url: url, as: "alice").close()
            #expect(SharedFile.refusal(of: url) == nil)
            #expect(SharedFile.refusal(of: folder.appending(path: "none")) == nil)
        }
    }
}
