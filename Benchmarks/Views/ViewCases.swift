import Foundation
import YapDatabase

/// What views add to writes, and what registering costs.
let viewCases: [Case] =
    [viewInsertCase] + [1_000, 100_000, 1_000_000].map(viewCommitOneCase) + [reregisterCase]

/// New rows of a database with a view, in one transaction, against the same without the view.
private let viewInsertCase = Case(name: "view_insert", n: 20_000, k: 20_000, unit: "rows/s") {
    var times: (ours: [Double], reference: [Double]) = ([], [])
    for _ in 0..<3 {
        times.ours.append(try timeOfInserts(rows: 20_000, withView: true))
        times.reference.append(try timeOfInserts(rows: 20_000, withView: false))
    }
    return Measurement(value: 20_000 / times.ours.median, reference: 20_000 / times.reference.median)
}

@MainActor private func timeOfInserts(rows: Int, withView: Bool) throws -> Double {
    try withScratchFolder { folder in
        try withDatabase(folder.appending(path: "numbers.sqlite")) { database in
            try NumberList.register(in: database)
            if !withView { try database.unregisterExtension(withName: NumberList.view) }
            let connection = try database.newConnection()
            return try passed { try NumberList.add(0..<rows, to: connection) }
        }
    }
}

/// A transaction that moves one row in a long group; the length should not matter.
private func viewCommitOneCase(_ rows: Int) -> Case {
    Case(name: "view_commit_one/\(rows)", n: rows, k: 1, unit: "µs") {
        let reference = rows == 1_000 ? nil : try timeOfMove(rows: 1_000)
        return Measurement(value: try timeOfMove(rows: rows) * 1e6, reference: reference.map { $0 * 1e6 })
    }
}

@MainActor private func timeOfMove(rows: Int) throws -> Double {
    try withScratchFolder { folder in
        try withDatabase(folder.appending(path: "numbers.sqlite")) { database in
            let connection = try database.newConnection()
            try NumberList.add(0..<rows, to: connection)
            try NumberList.register(in: database)
            var random = SplitMix64(seed: 5)
            var times: [Double] = []
            for move in 0..<1_000 {
                let key = "\(Int.random(in: 0..<rows, using: &random))"
                let object = NumberList.object(random.next())
                times.append(
                    try passed {
                        try connection.readWrite {
                            try $0.setObject(object, forKey: key, inCollection: NumberList.collection)
                        }
                    })
                if move % 100 == 0 { drainMainQueue() }
            }
            return times.median
        }
    }
}

/// A view that was there in the last run, of the same tag.
private let reregisterCase = Case(name: "reregister", n: people, k: 0, unit: "ms") {
    try withScratchFolder { folder in
        let url = folder.appending(path: "numbers.sqlite")
        try withDatabase(url) { database in
            try NumberList.add(0..<people, to: database.newConnection())
            try NumberList.register(in: database)
        }
        let times = try (0..<7).map { _ in
            try withDatabase(url) { database in try passed { try NumberList.register(in: database) } }
        }
        return Measurement(value: times.median * 1e3)
    }
}
