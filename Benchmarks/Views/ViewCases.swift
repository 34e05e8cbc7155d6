import Foundation
import YapDatabase

/// The cost that views add to writes, and the cost of registration.
let viewCases: [Case] =
    [viewInsertCase] + [1_000, 100_000, 1_000_000].map(viewCommitOneCase) + [
        viewRegisterCase, registerThreeCase, reregisterCase,
    ]

/// Registration of a view that the file already has, with the same tag.
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
