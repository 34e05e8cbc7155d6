import Foundation
import TestSupport
import Testing

@testable import YapDatabase

/// Lists that read fields out of stored bytes, against lists that decode whole values.
@Suite struct StoredFieldsTests {
    private static let formats = [YapDatabaseCodableFormat.propertyList, .json]

    /// What bytes say of a condition; nil if the whole value has to be asked.
    private func holds<Value>(
        _ condition: YapCondition<Value>, _ bytes: Data, _ format: YapDatabaseCodableFormat
    ) -> Bool? {
        guard let stored = condition.stored else { return nil }
        return bytes.withUnsafeBytes { format.read($0, stored) }
    }

    /// What bytes say of a group; nil if the whole value has to be asked.
    private func group<Value>(
        _ list: YapList<Value, Int, Never>, _ bytes: Data, _ format: YapDatabaseCodableFormat
    ) -> String?? {
        guard let stored = list.placement.ofBytes.group else { return nil }
        return bytes.withUnsafeBytes { format.read($0, stored) }
    }

    @Test func conditionsOnBytesHoldAsOnValues() throws {
        let seed = UInt64.random(in: 0...(.max))
        var random = SplitMix64(seed: seed)
        for format in Self.formats {
            for id in 0..<2_000 {
                let parcel = Parcel<Kept>(id: id, &random)
                let condition = Parcel<Kept>.condition(&random)
                let context = Comment(rawValue: "seed \(seed), \(condition.clause?.description ?? ""), \(parcel)")
                let asksWhole = condition.clause?.fields.contains { $0.name?.hasSuffix("sender.name") ?? true } ?? true
                #expect((condition.stored == nil) == asksWhole, context)
                let found = holds(condition, try format.encode(parcel), format)
                #expect(found == (asksWhole ? nil : condition.holds(parcel)), context)
                #expect(Parcel<NotGiven>.condition(&random).stored == nil, context)
            }
        }
    }

    /// Where bytes were changed, a condition and a group are those of the whole value, or it is asked. Only a value that cannot be decoded
    /// may have an answer nevertheless, if other properties are damaged.
    @Test func damagedBytesGiveTheAnswersOfTheWholeValue() throws {
        let seed = UInt64.random(in: 0...(.max))
        var random = SplitMix64(seed: seed)
        var known = 0
        let parcels = YapCollection("parcels", of: Parcel<Kept>.self)
        for format in Self.formats {
            let lists = Parcel<Kept>.lists(of: parcels, where: \.id >= 0)
            for id in 0..<3_000 {
                var bytes = try format.encode(Parcel<Kept>(id: id, &random))
                let names = countOfNames(bytes, format)
                for _ in 0...random.below(3) {
                    bytes[random.below(bytes.count)] = UInt8(truncatingIfNeeded: random.next())
                }
                if countOfNames(bytes, format) != names { continue }
                let whole = try? bytes.withUnsafeBytes { try format.decode(Parcel<Kept>.self, $0) }
                let condition = Parcel<Kept>.condition(&random)
                let context = Comment(rawValue: "seed \(seed), \([UInt8](bytes))")
                let found = holds(condition, bytes, format)
                if let whole, let found {
                    known += 1
                    #expect(found == condition.holds(whole), context)
                }
                let list = random.pick(lists)
                if let group = group(list, bytes, format), let whole {
                    #expect(group == list.placement.ofValue.group(whole), context)
                }
            }
        }
        #expect(known > 100)
    }

    @Test(arguments: Effort.some([1, 2] as [UInt64])) func rowsHaveTheSameGroupsAndPlaces(seed: UInt64) throws {
        for format in Self.formats {
            var random = SplitMix64(seed: seed)
            let start = random
            let kept = Parcel<Kept>.condition(&random)
            random = start
            let other = Parcel<NotGiven>.condition(&random)
            try withTemporaryDatabase { database throws in
                let first = try filled(database, "kept", format, seed, kept) { Parcel<Kept>(id: $0, &$1) }
                let second = try filled(database, "other", format, seed, other) { Parcel<NotGiven>(id: $0, &$1) }
                #expect(first.count > 20)
                for (name, groups) in first {
                    #expect(second[name] == groups, "seed \(seed), \(name): \(kept.clause?.description ?? "")")
                }
            }
        }
    }

    /// The ids of each group of each list, which were filled from rows and followed some writes.
    private func filled<Promise>(
        _ database: YapDatabase, _ name: String, _ format: YapDatabaseCodableFormat, _ seed: UInt64,
        _ condition: YapCondition<Parcel<Promise>>, _ make: (Int, inout SplitMix64) -> Parcel<Promise>
    ) throws -> [String: [Int]] {
        var random = SplitMix64(seed: seed + 10)
        let parcels = YapCollection(name, of: Parcel<Promise>.self, as: format)
        let connection = try database.newConnection()
        func write(_ count: Int) throws {
            try connection.readWrite { transaction throws in
                for _ in 0..<count { try transaction[parcels].save(make(random.below(300), &random)) }
            }
        }
        try write(250)
        var groups: [String: [Int]] = [:]
        for list in Parcel.lists(of: parcels, where: condition) {
            try database.register(list)
            for count in [0, 20] {
                try write(count)
                try connection.read { transaction throws in
                    let rows = try transaction[list]
                    for group in rows.groups {
                        groups["\(list.name) \(group) \(count)"] = try rows.values(in: group).map(\.id)
                    }
                }
            }
            try database.unregisterExtension(withName: list.name)
        }
        return groups
    }
}
