import Foundation
import YapDatabase

// Follows the list of Demo/Hello and prints a line of JSON for each change-set:
//   headless [FILE [NUMBER OF CHANGE-SETS]]

struct Chore: Codable, Sendable, Identifiable {
    var id = UUID()
    var title: String
    var priority: Int
}

/// Deletes and the first places of moves are rows before the commit; inserts, updates and the second places rows after it.
struct Line: Encodable {
    var commit: Int
    var rows: Int
    var isReload = false
    var deleted: [Int] = []
    var inserted: [Int] = []
    var moved: [[Int]] = []
    var updated: [Int] = []

    init(_ update: YapListUpdate<Chore>) {
        (commit, rows) = (update.snapshot, update.rows.count)
        guard case .changes(let changes) = update.outcome else {
            isReload = true
            return
        }
        for change in changes.rowChanges {
            switch (change.before?.row, change.after?.row, change.type) {
            case (let before?, nil, _): deleted.append(before)
            case (nil, let after?, _): inserted.append(after)
            case (let before?, let after?, .move): moved.append([before, after])
            case (_, let after?, _): updated.append(after)
            default: break
            }
        }
    }
}

let chores = YapCollection("chores", of: Chore.self)
let urgent = YapList("urgent", of: chores, sortedBy: .descending(\.priority), .ascending(\.title))

@main struct Headless {
    static func main() async throws {
        let arguments = CommandLine.arguments.dropFirst()
        let database = try YapDatabase(url: URL(filePath: arguments.first ?? "hello.sqlite"))
        try await database.register(urgent)

        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        var count = 0
        for try await update in try database.newConnection().updates(of: urgent) {
            try FileHandle.standardOutput.write(contentsOf: encoder.encode(Line(update)) + Data("\n".utf8))
            count += 1
            if let limit = arguments.dropFirst().first.flatMap(Int.init), count == limit { break }
        }
    }
}
