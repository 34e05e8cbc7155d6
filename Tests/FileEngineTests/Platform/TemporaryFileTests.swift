import Foundation
import TestSupport
import Testing

@testable import FileEngine

@Suite struct TemporaryFileTests {
    private func bytes(_ file: TemporaryFile, _ place: Int, _ count: Int) throws -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        try bytes.withUnsafeMutableBytes { try file.read(into: $0, at: place) }
        return bytes
    }

    @Test func aTemporaryFileReturnsItsBytesAndHasNoName() throws {
        try withTemporaryFolder { folder throws in
            let file = try TemporaryFile(inFolder: folder.path)
            let content = (0..<100_000).map { UInt8(truncatingIfNeeded: $0 * 31) }
            try content.withUnsafeBytes { try file.append($0) }
            try content.withUnsafeBytes { try file.append(UnsafeRawBufferPointer(rebasing: $0[..<10])) }
            #expect(file.size == 100_010)
            #expect(try bytes(file, 0, 100_000) == content)
            #expect(try bytes(file, 99_990, 20) == Array(content[99_990...] + content[..<10]))
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
            expectError(.inputOutput, mentioning: "Check the disk") { _ = try bytes(file, 100_000, 11) }
        }
    }

    @Test func whereAFolderTakesNoneItIsMadeElsewhere() throws {
        // The file system of the kernel's settings makes no files.
        let file = try TemporaryFile(inFolder: "/proc")
        try [1, 2, 3].withUnsafeBytes { try file.append($0) }
        #expect(file.size == 24)
    }

    @Test func aFileThatMayNotGrowIsAFullDisk() throws {
        try withTemporaryFolder { folder throws in
            try TemporaryFile.$maxBytes.withValue(10) {
                let file = try TemporaryFile(inFolder: folder.path)
                try [UInt8](repeating: 1, count: 10).withUnsafeBytes { try file.append($0) }
                expectError(.diskFull, mentioning: "Free some space") {
                    try [UInt8(1)].withUnsafeBytes { try file.append($0) }
                }
                #expect(file.size == 10)
            }
        }
    }
}
