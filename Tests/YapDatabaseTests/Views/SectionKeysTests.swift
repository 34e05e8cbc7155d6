import ListChanges
import TestSupport
import TestTraits
import Testing

@testable import YapDatabase

/// The keys of many rows of a section at once, against those of one row after the other.
@Suite struct SectionKeysTests {
    @Test(arguments: Effort.some([1, 2, 3, 4] as [UInt64])) func sectionKeysEqualThoseOfEachRow(seed: UInt64) throws {
        try withTemporaryDatabase { database throws in
            database.registerItems()
            try database.register(Item.view(), withName: "items")
            let connection = try database.newConnection()
            var random = SplitMix64(seed: seed)
            try connection.readWrite { transaction throws in
                for number in 0..<400 {
                    let group = ["A", "B", "C"].randomElement(using: &random)!
                    let item = Item(group: group, sort: Int.random(in: 0..<50, using: &random), text: "")
                    try transaction.setObject(item, forKey: "k\(number)", inCollection: "c")
                }
            }
            for round in 0..<20 {
                let mappings = YapDatabaseViewMappings(groups: ["A", "B", "C"], view: "items")
                for group in ["A", "B", "C"] {
                    mappings.setIsReversed(Bool.random(using: &random), forGroup: group)
                    let length = Int.random(in: 1...150, using: &random)
                    let edge: YapDatabaseViewPin = Bool.random(using: &random) ? .beginning : .end
                    let offset = Int.random(in: 0..<20, using: &random)
                    if Bool.random(using: &random) {
                        mappings.setRangeOptions(
                            .fixedRange(withLength: length, offset: offset, from: edge), forGroup: group)
                    }
                }
                if round % 4 == 0 { mappings.setAutoConsolidateGroupsThreshold(1_000, withName: "all") }
                try connection.read { transaction throws in
                    try mappings.update(with: transaction)
                    let view = try #require(transaction.ext("items") as? YapDatabaseViewTransaction)
                    for section in 0..<mappings.numberOfSections() {
                        let count = mappings.numberOfItems(inSection: section)
                        let first = Int.random(in: 0...count, using: &random)
                        // Beyond the end there is nothing.
                        let rows = first..<first + Int.random(in: 0...60, using: &random)
                        let wanted = try rows.compactMap {
                            try view.rowKey(at: RowPath(section: section, row: $0), with: mappings)
                        }
                        let found = try view.keys(of: rows, inSection: section, with: mappings)
                        #expect(found == wanted, "seed \(seed), round \(round), section \(section), rows \(rows)")
                    }
                }
            }
        }
    }
}
