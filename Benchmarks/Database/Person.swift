import Foundation
import SeededRandom

/// A row of the benchmarks: about 120 bytes of JSON.
struct Person: Codable, Hashable {
    static let collection = "people"

    var name: String
    var email: String
    var city: String
    var age: Int
    var score: Double
    var isActive: Bool

    /// The person with a number; the same in every run.
    init(_ number: Int) {
        name = "Person Number \(number)"
        email = "person.\(number)@example.org"
        city = ["Amsterdam", "Berlin", "Copenhagen", "Dublin"][number & 3]
        age = 18 + number % 60
        score = Double(number % 1_000) / 8
        isActive = number & 1 == 0
    }

    /// Returns the key of a number, spread over the index like most keys.
    static func key(_ number: Int) -> String {
        var random = SplitMix64(seed: UInt64(number))
        return String(random.next(), radix: 36)
    }

    /// Compares objects of the views of people.
    static func byScore(_ first: Any, _ second: Any) -> ComparisonResult {
        let (a, b) = ((first as! Person).score, (second as! Person).score)
        return a < b ? .orderedAscending : a == b ? .orderedSame : .orderedDescending
    }
}
