import Foundation
import ListChanges

/// A database scenario of the vectors, as far as a model of a view can run it.
struct Scenario: Decodable {
    struct Setup: Decodable {
        var groups: [String]?
        var dynamicGroups: Bool?
        var groupSort: String?
        var config: [Call]
        var configAfterUpdate: Bool?
    }

    /// One call on the mappings.
    struct Call: Codable {
        var `do`: String
        var group: String?
        var value: Bool?
        var kind: String?
        var length: Int?
        var offset: Int?
        var from: String?
        var max: Int?
        var min: Int?
        var grow: String?
        var offsets: [Int]?
        var threshold: Int?
        var name: String?
    }

    struct Operation: Decodable {
        var op: String
        var collection: String?
        var key: String?
        var keys: [String]?
        var group: String?
        var sort: Int?
    }

    struct Step: Decodable {
        var reconfigure: [Call]?
        var commits: [[Operation]]
    }

    var id: String
    var mappings: Setup
    var initial: [Operation]
    var steps: [Step]
}

/// A scenario with the original's own answers.
struct Vector: Decodable {
    struct Answer: Decodable {
        var error: String?
        var initial: State?
        var steps: [Step]?
    }

    struct State: Decodable {
        struct Section: Decodable, Equatable {
            var group: String
            /// Nil for a row that the original counts but does not have.
            var rows: [String?]
        }

        struct Range: Decodable, Hashable {
            var length: Int
            var offset: Int
            var from: String
        }

        var sections: [Section]
        var groups: [String]
        var counts: [String: Int]
        var ranges: [String: Range]
        var consolidated: Bool?
    }

    struct Step: Decodable {
        struct SectionChange: Decodable, Hashable {
            var type: String
            var section: Int
            var group: String
        }

        struct RowChange: Decodable, Hashable {
            var type: String
            var key: String?
            var changes: Set<String>
            var indexPath: Path?
            var newIndexPath: Path?
            var originalGroup: String?
            var finalGroup: String?
        }

        /// A section and a row; a number that underflowed in the original is a text.
        struct Path: Decodable, Hashable {
            var numbers: [Int]

            init(_ path: RowPath) { numbers = [path.section, path.row] }

            init(from decoder: Decoder) throws {
                let values = try decoder.singleValueContainer()
                numbers = (try? values.decode([Int].self)) ?? []
            }
        }

        /// After reconfiguring, before the commits.
        var before: State?
        var after: State
        var sectionChanges: [SectionChange]
        var rowChanges: [RowChange]

        private enum CodingKeys: CodingKey { case before, sectionChanges, rowChanges }

        init(from decoder: Decoder) throws {
            let values = try decoder.container(keyedBy: CodingKeys.self)
            before = try values.decodeIfPresent(State.self, forKey: .before)
            after = try State(from: decoder)
            sectionChanges = try values.decode([SectionChange].self, forKey: .sectionChanges)
            rowChanges = try values.decode([RowChange].self, forKey: .rowChanges)
        }
    }

    struct Problem: Decodable {
        var step: Int
        var what: String

        init(from decoder: Decoder) throws {
            var values = try decoder.unkeyedContainer()
            step = try values.decode(Int.self)
            what = try values.decode(String.self)
        }
    }

    var scenario: Scenario
    var expected: Answer
    var originalProblems: [Problem]

    static func all(of family: String) throws -> [Vector] {
        try StoredVectors.lines(of: family).map { try JSONDecoder().decode(Vector.self, from: Data($0)) }
    }
}
