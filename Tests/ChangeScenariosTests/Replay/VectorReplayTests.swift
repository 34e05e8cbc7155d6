import TestSupport
import Testing

@testable import ChangeScenarios

@Suite struct VectorReplayTests {
    /// The whole stack, from writing rows to the printed result, against the original's own answers and, after the
    /// first error of the original, against the law. ``VectorTests`` compares all of them without a database.
    @Test(arguments: StoredVectors.families)
    func everyVectorComesOutAsTheOriginalOrTheLawSays(family: String) throws {
        try withScratchFolder { folder in
            for line in Effort.some(try StoredVectors.lines(of: family)) {
                let vector = try Vector(line: line)
                let result = try folder.withDatabaseURL { try vector.scenario.replayed(at: $0) }
                let flaws = result.flaws(of: vector.scenario).map(\.description)
                #expect(flaws + vector.differences(from: result.json) == [], "\(vector.scenario.json)")
            }
        }
    }

    @Test func aDifferenceIsSeen() throws {
        let line = try #require(StoredVectors.lines(of: "plain").first)
        let vector = try Vector(line: line)
        let json = try #require(JSONReader.read(line)["expected"])
        #expect(vector.differences(from: json) == [])
        let other = try JSONReader.read(Array("\(json)".replacing("\"k11\",\"k1\"", with: "\"k1\",\"k11\"").utf8))
        #expect(vector.differences(from: other).count == 2)
    }
}
