import Foundation
import Testing

@testable import ChangeScenarios

@Suite struct ScenarioLineTests {
    @Test func anErrorIsALineOfJSONToo() throws {
        let answer = try withScratchFolder { ScenarioLine(bytes: Array("\"\u{1}".utf8)).answer(in: $0) }
        #expect(answer.isError)
        #expect(
            String(decoding: answer.bytes, as: UTF8.self) == """
                {"error":"the scenario should be JSON: column 2: a control character should be written as an escape"}

                """)
    }

    @Test func aLineThatIsTooLongIsNotLookedAt() {
        let line = [UInt8](repeating: UInt8(ascii: " "), count: ScenarioLine.lengthLimit + 1)
        let error = #expect(throws: ScenarioError.self) { try Scenario(line: line) }
        #expect(error?.description == "the scenario should be no longer than 64 MiB")
    }

    @Test func nothingOfADatabaseStaysBehind() throws {
        try withScratchFolder { folder throws in
            let bytes = DatabaseScenario.random(seed: 3).json.bytes
            #expect(!ScenarioLine(bytes: bytes).answer(in: folder).isError)
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == [])
        }
    }

    @Test func aDatabaseThatCannotBeOpenedIsAnErrorOfItsLine() throws {
        let folder = try ScratchFolder()
        try folder.remove()
        let answer = ScenarioLine(bytes: DatabaseScenario.random(seed: 3).json.bytes).answer(in: folder)
        #expect(answer.isError)
        #expect(String(decoding: answer.bytes, as: UTF8.self).contains("does not exist"))
    }
}
