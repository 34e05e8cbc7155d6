import Foundation
import TestSupport
import Testing

@testable import ChatRoster

/// Texts as files, beside a chat's file that cannot be written.
@Suite struct UnsentFilesTests {
    private func sending(_ text: String, by person: String = "alice", at seconds: Double = 0) -> Sending {
        Sending(
            id: UUID().uuidString, person: person, conversation: "#tea",
            draft: Draft(text: text, reply: Message.Quote(id: "m", author: "bob")), kind: .action,
            date: Date(timeIntervalSince1970: seconds))
    }

    @Test func whatIsKeptComesBackInItsOrder() throws {
        try withTemporaryFolder { folder throws in
            let files = UnsentFiles(of: "/a.sqlite", in: [folder.path + "/x/unsent"])
            let (first, second) = (sending("1"), sending("2", at: 1))
            for sending in [second, first, sending("other", by: "bob")] { #expect(files.keep(sending)) }
            #expect(UnsentFiles(of: "/b.sqlite", in: [folder.path + "/x/unsent"]).keep(sending("elsewhere")))
            #expect(files.load(of: "alice") == [first, second])
            #expect(files.has(first.id))
            files.remove(first.id)
            #expect(!files.has(first.id) && files.load(of: "alice") == [second])
            let mode = try FileManager.default.attributesOfItem(atPath: folder.path + "/x/unsent/\(second.id).json")
            #expect(mode[.posixPermissions] as? Int == 0o600)
        }
    }

    @Test func whereNothingCanBeWrittenTheNextPlaceIsTaken() throws {
        try withTemporaryFolder { folder throws in
            let blocked = folder.path + "/file"
            #expect(FileManager.default.createFile(atPath: blocked, contents: nil))
            let files = UnsentFiles(of: "/a.sqlite", in: [blocked + "/unsent", folder.path + "/second"])
            let one = sending("1")
            #expect(files.keep(one) && files.load(of: "alice") == [one])
            #expect(!UnsentFiles(of: "/a.sqlite", in: [blocked + "/unsent"]).keep(one))
        }
    }

    /// In `/dev/shm` anybody may make a folder of our name.
    @Test func aFolderThatOthersCanWriteIsNotUsed() throws {
        try withTemporaryFolder { folder throws in
            let (open, link) = (folder.path + "/open", folder.path + "/link")
            try FileManager.default.createDirectory(
                atPath: open, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o777])
            #expect(chmod(open, 0o777) == 0)
            try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: folder.path)
            for place in [open, link] {
                let files = UnsentFiles(of: "/a.sqlite", in: [place])
                #expect(!files.keep(sending("1")) && files.load(of: "alice").isEmpty)
            }
        }
    }

    @Test func whatIsNoTextIsIgnored() throws {
        try withTemporaryFolder { folder throws in
            let place = folder.path + "/unsent"
            let files = UnsentFiles(of: "/a.sqlite", in: [place])
            let one = sending("1")
            #expect(files.keep(one))
            #expect(FileManager.default.createFile(atPath: place + "/a.json", contents: Data("{".utf8)))
            #expect(FileManager.default.createFile(atPath: place + "/b.json", contents: Data(count: 2 << 20)))
            #expect(mkfifo(place + "/c.json", 0o600) == 0)
            try FileManager.default.createSymbolicLink(
                atPath: place + "/d.json", withDestinationPath: place + "/\(one.id).json")
            try FileManager.default.copyItem(atPath: place + "/\(one.id).json", toPath: place + "/e.json")
            #expect(files.load(of: "alice") == [one])
        }
    }
}
