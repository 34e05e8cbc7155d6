import ListChanges
import Testing

@testable import AnimationLab

/// The gallery's answers of the original equal those of the vectors.
@Suite struct GalleryVectorTests {
    private static let defects = Gallery.entries.filter { if case .defect = $0.kind { true } else { false } }

    @Test(arguments: defects.map(\.name)) func theScenarioAndTheAnswersAreThoseOfTheVector(name: String) throws {
        let entry = try #require(Gallery.entry(named: name))
        let vector = try Self.vector(try #require(entry.scenario.id))
        var scenario = vector.scenario
        scenario.steps = Array(scenario.steps.prefix(entry.steps.count))
        #expect(entry.scenario == scenario)
        for (number, step) in entry.steps.enumerated() {
            let other = try #require(step.other)
            #expect(other.name == "the original" && other.source == "vector \(vector.scenario.id ?? "")")
            #expect(try other.answer == Self.answer(of: vector, to: number))
        }
        // The last step shown is the first in which the vectors' own check found the original wrong.
        #expect(vector.trustedSteps == (vector.expected["error"] == nil ? entry.steps.count - 1 : 0))
    }

    private static func vector(_ id: String) throws -> Vector {
        let family = try #require(id.split(separator: "-").first)
        let vectors = try StoredVectors.lines(of: String(family)).map { try Vector(line: $0) }
        return try #require(vectors.first { $0.scenario.id == id })
    }

    private static func answer(of vector: Vector, to number: Int) throws -> OtherAnswer.Answer {
        guard case .array(let steps) = vector.expected["steps"] else { return .endless }
        return .changes(try ChangeSet(json: steps[number]))
    }
}
