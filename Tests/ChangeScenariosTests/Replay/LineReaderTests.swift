import Foundation
import Testing

@testable import ChangeScenarios

@Suite struct LineReaderTests {
    @Test func linesComeWholeHoweverTheyArrive() throws {
        let pipe = Pipe()
        var reader = LineReader(descriptor: pipe.fileHandleForReading.fileDescriptor, name: "the pipe")
        try pipe.fileHandleForWriting.write(contentsOf: Data("one\ntw".utf8))
        #expect(try reader.next() == [Array("one".utf8)])
        try pipe.fileHandleForWriting.write(contentsOf: Data("o\n\nthree\nfour".utf8))
        #expect(try reader.next() == [Array("two".utf8), [], Array("three".utf8)])
        try pipe.fileHandleForWriting.close()
        #expect(try reader.next() == [Array("four".utf8)])
        #expect(try reader.next() == nil)
    }

    @Test func aLastLineBreakEndsTheLastLine() throws {
        let pipe = Pipe()
        var reader = LineReader(descriptor: pipe.fileHandleForReading.fileDescriptor, name: "the pipe")
        try pipe.fileHandleForWriting.write(contentsOf: Data("one\n".utf8))
        try pipe.fileHandleForWriting.close()
        #expect(try reader.next() == [Array("one".utf8)])
        #expect(try reader.next() == nil)
    }

    @Test func whatCannotBeReadIsNamed() {
        var reader = LineReader(descriptor: -1, name: "the file")
        let error = #expect(throws: ReplayError.self) { try reader.next() }
        #expect(error?.description == "the file cannot be read: Bad file descriptor.")
    }
}
