import Foundation
import LiveTable

Terminal.blockSignals()  // before the first thread begins, so that the screen gets them

struct Chore: Codable, Sendable, Identifiable {
    var id = UUID()
    var title: String
    var priority: Int
}

let chores = YapCollection("chores", of: Chore.self)
let urgent = YapList("urgent", of: chores, sortedBy: .descending(\.priority), .ascending(\.title))

let file = URL(filePath: CommandLine.arguments.dropFirst().first ?? "hello.sqlite")
let database = try YapDatabase(url: file)
try database.register(urgent)

// Any program may write to the file, also several at once: each commit is shown.
let writer = try database.newConnection()
Task {
    while true {
        let chore = Chore(title: ["Write", "Read", "Test", "Ship"].randomElement()!, priority: .random(in: 1...9))
        try await writer.readWrite { transaction in try transaction[chores].save(chore) }
        try await Task.sleep(for: .seconds(1))
    }
}

exit(
    try ListScreen.run(urgent, in: database, title: "Urgent") { chore in
        RowCell("\(chore.priority)  \(chore.title)")
    })
