import Foundation
import Testing

@testable import ChangeScenarios

@Suite struct AnswerWriterTests {
    @Test func answersGoOutInTheOrderOfTheLines() throws {
        let pipe = Pipe()
        let writer = AnswerWriter(descriptor: pipe.fileHandleForWriting.fileDescriptor)
        for number in [2, 1, 0, 4, 3] { writer.put(.init(json: number.json, isError: number == 3), at: number) }
        try pipe.fileHandleForWriting.close()
        let text = try String(decoding: pipe.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
        #expect(text == "0\n1\n2\n3\n4\n")
        #expect(writer.hadError)
        try writer.check()
    }

    @Test func anAnswerThatCannotBeWrittenIsAnError() {
        let writer = AnswerWriter(descriptor: -1)
        writer.put(.init(json: 1, isError: false), at: 0)
        #expect(throws: ReplayError.self) { try writer.check() }
    }

    @Test func nothingIsWrittenAfterItWasStopped() throws {
        let pipe = Pipe()
        let writer = AnswerWriter(descriptor: pipe.fileHandleForWriting.fileDescriptor)
        writer.put(.init(json: 1, isError: false), at: 0)
        writer.stop()
        writer.put(.init(json: 2, isError: false), at: 1)
        try pipe.fileHandleForWriting.close()
        #expect(try pipe.fileHandleForReading.readToEnd() == Data("1\n".utf8))
    }
}
