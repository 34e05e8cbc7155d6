import Foundation
import TestSupport
import Testing
import YapDatabase
import YapDatabaseExtensions

/// The examples of docs/extensions.md, which are compiled here.
@Suite struct DocumentTests {
    @Test func theExamplesOfTheDocumentAreThoseThatAreCompiled() throws {
        let here = Self.code(in: try String(contentsOfFile: #filePath, encoding: .utf8))
        let document = try String(contentsOf: repository.appending(path: "docs/extensions.md"), encoding: .utf8)
        let parts = document.components(separatedBy: "```swift\n").dropFirst()
        #expect(!parts.isEmpty)
        for part in parts {
            let example = try #require(part.components(separatedBy: "```").first)
            #expect(here.contains(Self.code(in: example)), "This example is not compiled:\n\(example)")
        }
    }

    /// The text without what only lays it out.
    private static func code(in text: String) -> String { String(text.filter { !$0.isWhitespace }) }

    @Test func theExampleRuns() throws {
        try withDatabase { _, connection throws in
            try keep(connection)
            #expect(try Book.read(connection).all().map(\.title) == ["Dune"])
        }
    }
}

struct Book: Persistable, Codable {
    static let collection = "books"
    var identifier: String
    var title: String
}

func keep(_ connection: YapDatabaseConnection) throws {
    try Book(identifier: "dune", title: "Dune").write(connection)
    let dune: Book? = try connection.readByKey("dune")
    let (books, missing) = try Book.read(connection).filterExisting(["dune", "emma"])
    print(dune?.title ?? "none", books.count, missing)
}
