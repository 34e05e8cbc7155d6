import Foundation
import Testing

@testable import ChangeScenarios

@Suite struct ScratchFolderTests {
    @Test func foldersOfEndedProcessesAreSweptByTheNext() throws {
        try withParent { parent in
            let dead = parent.appending(path: "\(ScratchFolder.prefix)1-dead")
            try FileManager.default.createDirectory(
                at: dead.appending(path: "inside"), withIntermediateDirectories: true)
            let other = parent.appending(path: "another-program")
            try FileManager.default.createDirectory(at: other, withIntermediateDirectories: true)
            let folder = try ScratchFolder(in: parent)
            #expect(try names(in: parent) == ["another-program", folder.url.lastPathComponent])
        }
    }

    @Test func whatIsHeldStays() throws {
        try withParent { parent in
            let first = try ScratchFolder(in: parent)
            let second = try ScratchFolder(in: parent)
            #expect(try names(in: parent).count == 2)
            #expect(try first.withDatabaseURL { FileManager.default.createFile(atPath: $0.path, contents: nil) })
            try first.remove()
            #expect(try names(in: parent) == [second.url.lastPathComponent])
        }
    }

    @Test func aLinkIsNotFollowed() throws {
        try withParent { parent in
            let target = parent.appending(path: "target")
            try FileManager.default.createDirectory(at: target, withIntermediateDirectories: true)
            try FileManager.default.createSymbolicLink(
                at: parent.appending(path: "\(ScratchFolder.prefix)link"), withDestinationURL: target)
            _ = try ScratchFolder(in: parent)
            #expect(FileManager.default.fileExists(atPath: target.path))
        }
    }

    /// Many processes sweep and create folders at once: none takes another's.
    @Test func foldersThatAreMadeAtOnceAllStay() throws {
        try withParent { parent in
            let count = 200
            let folders = Folders()
            DispatchQueue.concurrentPerform(iterations: count) { _ in
                folders.add(Result { try ScratchFolder(in: parent) })
            }
            let made = try folders.all.map { try $0.get() }
            #expect(try Set(names(in: parent)) == Set(made.map(\.url.lastPathComponent)))
            #expect(made.count == count)
        }
    }

    private final class Folders: @unchecked Sendable {
        private let lock = NSLock()
        private(set) var all: [Result<ScratchFolder, any Error>] = []

        func add(_ folder: Result<ScratchFolder, any Error>) { lock.withLock { all.append(folder) } }
    }

    private func names(in parent: URL) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: parent.path).sorted()
    }

    private func withParent(_ body: (URL) throws -> Void) throws {
        let parent = FileManager.default.temporaryDirectory.appending(path: "scratch-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: parent, withIntermediateDirectories: true)
        let result = Result { try body(parent) }
        try FileManager.default.removeItem(at: parent)
        try result.get()
    }
}
