import Foundation

/// Several processes, many groups, small commits, fresh processes: each contender in a process of its own, in turn with SQLite by hand, with
/// random updates. They take minutes, so they run only if they are named; `SECONDS` sets how long those write that write without a pause.
let companyCases: [Case] =
    busyCases + groupCases + commitCases + freshCases + [
        companyCase("file_size", unit: "MB", target: .value(atMost: 18, "MB")) { folder, contender in
            let file = try folder.file(contender, rows: CompanyWork.rows)
            return Double(try file.resourceValues(forKeys: [.fileSizeKey]).fileSize ?? 0) / 1e6
        },
        Case(
            name: "company/chat_at_rest", n: 0, k: 0, unit: "wake-ups/s", targets: [.value(atMost: 2, "wake-ups/s")],
            isExtra: true
        ) { Measurement(value: try wakeUpsOfChatAtRest()) },
    ]

private let rows = CompanyWork.rows

/// Commits beside other processes or threads.
private let busyCases: [Case] = [
    companyCase("writers", unit: "µs/commit", target: .ratio(atMost: 1 / 0.9)) { try $0.race($1, writers: 2).pace },
    companyCase("writers_wait", unit: "ms", target: .value(atMost: 50, "ms")) { try $0.race($1, writers: 2).wait },
    companyCase("beside_readers", unit: "µs/commit", target: .ratio(atMost: 1 / 0.9)) {
        try $0.race($1, writers: 1).pace
    },
    companyCase("reader_threads", unit: "µs/commit", target: .ratio(atMost: 1)) { folder, contender in
        let numbers = try Job(
            .writeBesideThreads, contender, folder.file(contender, rows: rows, lists: 1), lists: 1
        ).run()
        return numbers[1] / numbers[0] * 1e6
    },
    companyCase("log_beside_still", rounds: 1, unit: "MB") { folder, contender in
        try folder.besideStill(contender)[0]
    },
    companyCase("commit_beside_still", rounds: 1, unit: "ms", target: .value(atMost: 50, "ms")) { folder, contender in
        try folder.besideStill(contender)[1]
    },
]

/// A list of as many groups as the name says, of ours alone.
private let groupCases: [Case] =
    [(10, 0.2, 1.0), (1_000, 0.2, 1), (10_000, 0.2, 5), (100_000, 0.2, 40)].flatMap { groups, move, follow in
        [
            companyCase("groups/\(groups)", contenders: [.ours], unit: "ms", target: .value(atMost: move, "ms")) {
                try Job(.moveInGroups, $1, $0.groupedFile(groups), groups).run()[0]
            },
            companyCase("follow/\(groups)", contenders: [.ours], unit: "ms", target: .value(atMost: follow, "ms")) {
                try Job(.followGroups, $1, $0.groupedFile(groups), groups).run()[0]
            },
        ]
    }

private let commitCases: [Case] =
    [(1, 100.0, 80.0), (10, 500, 500)].flatMap { lists, update, new in
        [
            ("update", .value(atMost: update, "µs")), ("processor", .ratio(atMost: 2)),
            ("new", .value(atMost: new, "µs")),
        ]
        .enumerated().map { (place, one: (name: String, target: Target)) in
            companyCase("commit_\(one.name)/\(lists)", unit: "µs", target: one.target) { folder, contender in
                let file = try folder.file(contender, rows: rows, lists: lists)
                return try Job(.commitRows, contender, folder.copy(file), lists: lists).run()[place]
            }
        }
    } + [
        companyCase("ten_lists_memory", rounds: 1, unit: "MB", target: .value(atMost: 120, "MB")) {
            try Job(.addMany, $1, $0.newFile(), lists: 10).run()[0]
        },
        companyCase("bulk_update", unit: "µs/row", target: .value(atMost: 50, "µs/row")) { folder, contender in
            let file = try folder.file(contender, rows: rows, lists: 1)
            return try Job(.updateMany, contender, folder.copy(file), lists: 1).run()[0]
        },
        companyCase("bulk_change_set", contenders: [.ours], unit: "ms", target: .value(atMost: 500, "ms")) {
            folder, contender in
            let file = try folder.file(contender, rows: rows, lists: 1)
            return try Job(.updateMany, contender, folder.copy(file), lists: 1).run()[1]
        },
    ]
    + [(0, 12.0), (1, 20)].map { lists, most in
        companyCase("delete/\(lists)", unit: "µs/row", target: .value(atMost: most, "µs/row")) { folder, contender in
            let file = try folder.file(contender, rows: rows, lists: lists)
            return try Job(.removeMany, contender, folder.copy(file), lists: lists).run()[0]
        }
    }

/// What a process pays once.
private let freshCases: [Case] =
    [(1_000, 4.0), (10_000, 35), (100_000, 350)].map { count, most in
        companyCase("first_update/\(count)", unit: "ms", target: .value(atMost: most, "ms")) { folder, contender in
            try Job(.firstUpdate, contender, folder.file(contender, rows: count, lists: 1), count).run()[0]
        }
    }
    + [(100_000, 5.0, 6.0), (1_000_000, 6, 8)].flatMap { count, closed, killed in
        [
            companyCase("open/\(count)", unit: "ms", target: .value(atMost: closed, "ms")) { folder, contender in
                try Job(.openList, contender, folder.file(contender, rows: count, lists: 1)).run()[0]
            },
            companyCase("open_killed/\(count)", unit: "ms", target: .value(atMost: killed, "ms")) { folder, contender in
                let file = try folder.file(contender, rows: count, lists: 1, isKilled: true)
                return try Job(.openList, contender, folder.copy(file)).run()[0]
            },
        ]
    } + [
        companyCase("order", unit: "µs/row", target: .value(atMost: 1.2, "µs/row")) {
            try Job(.order, $1, $0.copy($0.file($1, rows: rows))).run()[0]
        },
        companyCase("order_blocks", contenders: [.ours], unit: "µs/row") {
            try Job(.orderByBlocks, $1, $0.copy($0.file($1, rows: rows))).run()[0]
        },
        companyCase("index", unit: "ms", target: .value(atMost: 4.5, "ms")) {
            try Job(.indexAndScan, $1, $0.copy($0.file($1, rows: rows))).run()[0]
        },
        companyCase("scan", unit: "µs/row", target: .value(atMost: 2.2, "µs/row")) {
            try Job(.indexAndScan, $1, $0.copy($0.file($1, rows: rows))).run()[1]
        },
    ]

private func companyCase(
    _ name: String, rounds: Int = 5, contenders: [Contender] = [.ours, .raw], unit: String, target: Target? = nil,
    _ measure: @escaping @MainActor @Sendable (CompanyFolder, Contender) throws -> Double
) -> Case {
    Case(name: "company/\(name)", n: rows, k: 1, unit: unit, targets: target.map { [$0] } ?? [], isExtra: true) {
        try withScratchFolder { url in
            let folder = CompanyFolder(url)
            var values: [Contender: [Double]] = [:]
            for _ in 0..<rounds {
                for contender in contenders { values[contender, default: []].append(try measure(folder, contender)) }
            }
            return Measurement(value: values[.ours, default: []].median, reference: values[.raw]?.median)
        }
    }
}
