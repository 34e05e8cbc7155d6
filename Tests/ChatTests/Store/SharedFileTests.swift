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
            let group = try #require(UserGroup(getegid())).name
            let (plain, shared) = (folder.appending(path: "plain.sqlite"), folder.appending(path: "a/b/shared.sqlite"))
            try ChatDatabase(url: plain, as: "alice").close()
            #expect(try mode(plain.path) & 0o022 == 0, "the umask of the tests leaves no right to write")
            #expect(SharedFile.reach(of: plain) == .user)
            for name in ["alice", "bob"] {
                let chat = try ChatDatabase(url: shared, as: name, group: group)
                for name in ["", "-wal", "-shm"] { #expect(try mode(shared.path + name) == 0o660, "\(name)") }
                #expect(try mode(folder.path + "/a/b") == 0o2770)
                #expect(SharedFile.reach(of: shared) == .group(group))
                #expect(
                    SharedFile.privacy(of: shared)
                        == "Not shown to others, but everyone in the group \(group) can read the file.")
                try chat.close()
            }
        }
    }

    /// Several people may begin at the same moment.
    @Test func severalMakeItAtOnce() throws {
        try withTemporaryFolder { folder throws in
            let group = try #require(UserGroup(getegid())).name
            for round in 0..<20 {
                let url = folder.appending(path: "\(round)/chat.sqlite")
                DispatchQueue.concurrentPerform(iterations: 4) { _ in
                    #expect(throws: Never.self) { try SharedFile.make(url, group: group) }
                }
                #expect(SharedFile.reach(of: url) == .group(group))
            }
        }
    }

    /// What would look shared, and be of use to no one else, is refused.
    @Test func aFileThatCannotBeOfTheGroupIsRefused() throws {
        try withTemporaryFolder { folder throws in
            let group = try #require(UserGroup(getegid())).name
            func refusal(_ path: String, _ group: String) -> String {
                let url = folder.appending(path: path)
                let error = #expect(throws: CannotBeShared.self) {
                    try ChatDatabase(url: url, as: "alice", group: group).close()
                }
                return error?.description ?? ""
            }
            // SQLite's files beside it would be of another group.
            let inOther = refusal("chat.sqlite", group)
            #expect(inOther.contains("--db \(folder.path)/\(group)/chat.sqlite --group \(group)"), "\(inOther)")
            #expect(refusal("new/chat.sqlite", "no such group").contains("You are in: \(group)"))
            let place = folder.appending(path: "shared")
            try FileManager.default.createDirectory(at: place, withIntermediateDirectories: false)
            #expect(chmod(place.path, 0o2770) == 0)
            try Data().write(to: place.appending(path: "private.sqlite"))
            #expect(chmod(place.path + "/private.sqlite", 0o600) == 0)
            #expect(refusal("shared/private.sqlite", group).contains("chmod g+rw"))
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
