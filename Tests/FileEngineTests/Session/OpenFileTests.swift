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

    /// SQLite makes the file, and its log, where the links lead.
    @Test func aLinkToNothingIsThePathOfTheFileThatWillBeThere() throws {
        try withTemporaryFolder { folder in
            let sub = folder.appending(path: "sub")
            try FileManager.default.createDirectory(at: sub, withIntermediateDirectories: false)
            for (name, target) in [
                ("link", "sub/file"), ("second", "link"), ("sub/up", "../second"),
                ("whole", sub.appending(path: "file").path), ("circle", "circle"),
            ] {
                try FileManager.default.createSymbolicLink(
                    atPath: folder.appending(path: name).path, withDestinationPath: target)
            }
            func canonical(_ name: String) -> String { OpenFile.canonicalPath(folder.appending(path: name)) }
            let wanted = canonical("sub") + "/file"
            for name in ["sub/file", "link", "second", "sub/up", "whole"] { #expect(canonical(name) == wanted) }
            #expect(canonical("circle").hasSuffix("/circle"))
            try Data().write(to: sub.appending(path: "file"))
            for name in ["sub/file", "link", "second", "sub/up", "whole"] { #expect(canonical(name) == wanted) }
        }
    }

    /// Characters that a URL writes in another way, or that would end its path.
    @Test(arguments: ["a b", "100%", "%41", "a?b", "a#b", "a;b", "\u{e4}\u{1f600}", "a..b", "a+b&c=d", "[1]"])
    func aNameMayHaveAnyCharacter(name: String) throws {
        try withTemporaryFolder { folder in
            let url = folder.appending(path: name)
            let wanted = try #require(realpath(folder.path, nil).map { String(cString: $0) }) + "/" + name
            #expect(OpenFile.canonicalPath(url) == wanted)
            try Data().write(to: url)
            for url in [
                url, URL(filePath: name, relativeTo: URL(filePath: folder.path + "/")),
                URL(filePath: folder.path + "/./" + name),
            ] {
                #expect(OpenFile.canonicalPath(url) == wanted)
            }
        }
    }

    @Test(arguments: [("/a/b", "/a"), ("/a", "/"), ("a", "."), ("a/b/c", "a/b")])
    func theFolderOfAPath(path: String, folder: String) {
        #expect(path.folderOfFile == folder)
    }
}
