import Foundation
import ListChanges
import Testing
import YapDatabase

/// The example in the doc comment of `YapDatabaseViewCoordinator` is the code below: it compiles, and it runs.
@Suite struct CoordinatorExampleTests {
    private static func example(
        _ connection: YapDatabaseConnection, commit: () throws -> Void,
        onChanges: (ChangeSet, YapDatabaseViewMappings) -> Void, reload: (YapDatabaseViewMappings) -> Void
    ) throws {
        func animate(_ changes: ChangeSet, of list: YapDatabaseViewMappings) { onChanges(changes, list) }
        // begin
        let coordinator = try YapDatabaseViewCoordinator(connection: connection)
        let roster = YapDatabaseViewMappings(groups: ["available", "away"], view: "roster")
        try coordinator.follow(roster)
        // after each commit, for example in: for await _ in database.commits
        try commit()
        for (list, outcome) in try coordinator.advance() {
            switch outcome {
            case .none: break
            case .changes(let changes): animate(changes, of: list)
            case .reload: reload(list)
            }
        }
        // end
    }

    @Test func coordinatorExampleEqualsTheDocComment() throws {
        let source = try String(
            contentsOf: repository.appending(path: "Sources/YapDatabase/Views/Follow/YapDatabaseViewCoordinator.swift"),
            encoding: .utf8)
        let comment = source.split(separator: "\n").filter { $0.hasPrefix("///") }.map { $0.dropFirst(3) }
        let documented = comment.drop { !$0.hasSuffix("```swift") }.dropFirst().prefix { !$0.hasSuffix("```") }
        let test = try String(contentsOfFile: #filePath, encoding: .utf8).split(separator: "\n")
        let compiled = test.drop { !$0.hasSuffix("// begin") }.dropFirst().prefix { !$0.hasSuffix("// end") }
        func trimmed(_ lines: some Sequence<Substring>) -> [String] {
            lines.map { $0.trimmingCharacters(in: .whitespaces) }.filter { $0 != "try commit()" }
        }
        #expect(trimmed(documented) == trimmed(compiled) && documented.count > 5)
    }

    @Test func coordinatorExampleShowsWhatACommitChanged() throws {
        try withTemporaryDatabase { database throws in
            database.registerItems()
            try database.register(Item.view(), withName: "roster")
            let writer = try database.newConnection()
            var shown: [String] = []
            try Self.example(database.newConnection()) {
                try writer.readWrite {
                    try $0.setObject(Item(group: "away", sort: 1, text: ""), forKey: "bob", inCollection: "c")
                }
            } onChanges: { changes, list in
                shown = changes.rowChanges.map { "\($0.type) \($0.key?.key ?? "") in \(list.view)" }
            } reload: { _ in
            }
            #expect(shown == ["insert bob in roster"])
        }
    }
}
