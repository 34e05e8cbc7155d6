import Foundation
import ListChanges
import SeededRandom
import TestSupport
import TestTraits
import Testing

@testable import YapDatabase

/// What a declared R-tree finds is what a scan finds, to the last bit of each number.
@Suite struct RTreeTests {
    private struct Stay: Codable, Equatable, Identifiable, Sendable {
        var id: Int
        var x: Double
        var from: Date
        var to: Date
        var floor: Int?
    }

    private static let stays = YapCollection("stays", of: Stay.self)
    private static let map = YapRTreeIndex("map", of: stays, on: .at(\.x), .from(\.from, to: \.to), .at(\.floor))

    private static func number(_ random: inout SplitMix64) -> Double {
        let special: [Double] = [
            0, -0.0, .infinity, -.infinity, .nan, 1e300, -1e300, .leastNonzeroMagnitude, 16_777_217, 0.1,
            Double(Float(0.1)), Double(Float.greatestFiniteMagnitude),
        ]
        return random.percent(30)
            ? special[random.below(special.count)] : Double(random.below(2_000) - 1_000) / [1, 3, 7][random.below(3)]
    }

    @Test(arguments: Effort.some([1, 2, 3, 4] as [UInt64])) func aBoxHasWhatAScanFinds(seed: UInt64) throws {
        try withTemporaryDatabase { database throws in
            var random = SplitMix64(seed: seed)
            try database.register(Self.map)
            let connection = try database.newConnection()
            var stored: [Int: Stay] = [:]
            for step in 0..<Effort.cases(3_000) {
                try connection.readWrite { transaction throws in
                    for _ in 0...random.below(4) {
                        let id = random.below(40)
                        if random.percent(20) {
                            stored[id] = nil
                            try transaction[Self.stays].remove(id)
                            continue
                        }
                        let stay = Stay(
                            id: id, x: Self.number(&random),
                            from: Date(timeIntervalSinceReferenceDate: Self.number(&random)),
                            to: Date(timeIntervalSinceReferenceDate: Self.number(&random)),
                            floor: random.percent(20) ? nil : random.below(5))
                        stored[id] = stay
                        try transaction[Self.stays].save(stay)
                    }
                }
                if step % 200 == 199 {
                    try database.unregisterExtension(withName: "map")
                    try database.register(Self.map)
                }
                func ends() -> ClosedRange<Double> {
                    let (a, b) = (Self.number(&random), Self.number(&random))
                    return a.isNaN || b.isNaN ? -1...1 : min(a, b)...max(a, b)
                }
                let (x, time, floor) = (ends(), ends(), random.below(3)...3)
                let dates =
                    Date(
                        timeIntervalSinceReferenceDate: time.lowerBound)...Date(
                        timeIntervalSinceReferenceDate: time.upperBound)
                let (overlapping, within) = try connection.read { transaction throws in
                    let box = (YapExtent.range(x), YapExtent.range(dates), YapExtent.range(floor))
                    return (
                        try transaction[Self.map].values(overlapping: box.0, box.1, box.2),
                        try transaction[Self.map].values(within: box.0, .all, box.2)
                    )
                }
                let known = stored.values.filter {
                    !$0.x.isNaN && $0.from.timeIntervalSinceReferenceDate <= $0.to.timeIntervalSinceReferenceDate
                        && $0.floor != nil
                }
                let inBox = known.filter { x.contains($0.x) && floor.contains($0.floor!) }
                let expected = inBox.filter { $0.from <= dates.upperBound && dates.lowerBound <= $0.to }
                #expect(
                    Set(within.map(\.id)) == Set(inBox.map(\.id)),
                    "seed \(seed), step \(step), \(inBox.map { ($0.id, $0.x, $0.from.timeIntervalSinceReferenceDate, $0.to.timeIntervalSinceReferenceDate) })"
                )
                try #require(
                    Set(overlapping.map(\.id)) == Set(expected.map(\.id)), "seed \(seed), step \(step), \(x) \(time)")
            }
        }
    }
}
