import Foundation
import SeededRandom
import YapDatabase

/// From a commit of 10,000 rows to its first frame: the jump, the change-set, the layout, drawing, output. The list has
/// 20,000 rows; 4,000 are updated, 3,000 move, 1,500 are inserted and 1,500 deleted.
let changeSetToScreenCase = Case(
    name: "changeset_10k_rows_to_screen", n: 20_000, k: 10_000, unit: "ms", targets: [.value(atMost: 8, "ms")]
) {
    try withLiveList(rows: 20_000) { list in
        let writer = try list.database.newConnection()
        var random = SplitMix64(seed: 9)
        var time = 0.0
        let times = try (0..<9).map { round in
            try writer.readWrite { try $0.changeRows(round: round, &random) }
            drainMainQueue()
            time += 10
            return try used {
                try list.advance(at: time)
                list.terminal.screen.show(list.draw(at: time))
            }
        }
        return Measurement(value: times.median * 1e3)
    }
}

extension YapDatabaseReadWriteTransaction {
    fileprivate func changeRows(round: Int, _ random: inout SplitMix64) throws {
        func set(_ key: Int, _ object: Data) throws {
            try setObject(object, forKey: "\(key)", inCollection: NumberList.collection)
        }
        // The rows inserted in one round are deleted in the next.
        let firstKey = 1_500 * round
        let keys = (firstKey + 1_500..<firstKey + 20_000).shuffled(using: &random)
        for key in keys[..<4_000] {
            guard var object = try object(forKey: "\(key)", inCollection: NumberList.collection) as? Data else {
                continue
            }
            object[object.endIndex - 1] &+= 1
            try set(key, object)
        }
        for key in keys[4_000..<7_000] { try set(key, NumberList.object(random.next())) }
        for key in firstKey + 20_000..<firstKey + 21_500 { try set(key, NumberList.object(random.next())) }
        for key in firstKey..<firstKey + 1_500 {
            try removeObject(forKey: "\(key)", inCollection: NumberList.collection)
        }
    }
}
