import Foundation
import TestSupport
import Testing

@testable import FileEngine

/// All paths of a file are one, whether the file is there or not.
@Suite struct OpenFileTests {
    @Test func allPathsOfAFileAreOne() throws {
        try withTemporaryFolder { folder in
            let real = folder.appending(path: "real folder")
            try FileManager.default.createDirectory(at: real, withIntermediateDirectories: false)
            try FileManager.default.createSymbolicLink(
                at: folder.appending(path: "link"), withDestinationURL: real)
            let paths = [
                "real folder/a", "link/a", "./real folder//a", "real folder/./a", "real folder/../link/a", "link/b",
            ]
            func canonical(_ path: String) -> String {
                OpenFile.canonicalPath(URL(filePath: folder.path + "/" + path))
            }
            let before = Set(paths.dropLast().map(canonical))
            #expect(before.count == 1)
            try Data().write(to: real.appending(path: "a"))
            try FileManager.default.createSymbolicLink(
                at: real.appending(path: "b"), withDestinationURL: real.appending(path: "a"))
            #expect(Set(paths.map(canonical)) == before)
            #expect(before.first?.hasSuffix("/real folder/a") == true)
        }
    }

    @Test(arguments: [("/a/b", "/a"), ("/a", "/"), ("a", "."), ("a/b/c", "a/b")])
    func theFolderOfAPath(path: String, folder: String) {
        #expect(path.folderOfFile == folder)
    }
}
