import Foundation
import TestSupport
import Testing

/// Every example in Swift, of the README, the articles and the doc comments, is compiled: it stands in one of the test files whose
/// names contain `Examples`, or in a client of `./run clients`.
@Suite struct ExamplesTests {
    private static let compiled: Result<Data, any Error> = Result {
        let files = try files(below: "Tests") { path in
            path.hasSuffix(".swift") && (path.contains("Examples") || path.hasPrefix("Clients/"))
        }
        return try code(in: files.map { try text(of: $0) }.joined())
    }

    @Test(arguments: try documents())
    func everyExampleIsCompiled(document: String) throws {
        let compiled = try Self.compiled.get()
        for example in try examples(in: document) {
            #expect(
                compiled.range(of: code(in: example)) != nil,
                "\(document): this example stands in no test file with `Examples` in its name:\n\(example)")
        }
    }

    /// A program that is copied must compile: an example with `@main` is a whole file.
    @Test(arguments: try documents())
    func aWholeProgramImportsWhatItUses(document: String) throws {
        for example in try examples(in: document) where example.contains("@main") {
            #expect(example.contains("import YapDatabase\n"), "\(document):\n\(example)")
            let usesFoundation = example.contains(/\b(?:URL|Date|UUID|Data|Locale|TimeZone|Progress)\b/)
            #expect(!usesFoundation || example.contains("import Foundation\n"), "\(document):\n\(example)")
        }
    }

    /// A clone may have any name; the name of a package's folder is that of the package otherwise.
    @Test(arguments: try documents())
    func aPackageOnThisMachineIsNamed(document: String) throws {
        for line in try lines(of: document) where line.contains(".package(") && line.contains("path:") {
            #expect(line.contains(#".package(name: "YapDatabase", path:"#), "\(document): \(line)")
        }
    }

    @Test func thereAreExamples() throws {
        #expect(try documents().reduce(0) { try $0 + examples(in: $1).count } > 60)
    }

    /// In the articles and in doc comments, a fence without a language might hold Swift that is not compiled.
    @Test(arguments: try documents().filter { $0.hasPrefix("Sources/") })
    func everyFenceNamesItsLanguage(document: String) throws {
        let fences = try lines(of: document).filter { $0.hasPrefix("```") }
        for (number, fence) in fences.enumerated() where number % 2 == 0 {
            #expect(fence != "```", "\(document): a fence without a language")
        }
        #expect(fences.count % 2 == 0, "\(document): a fence is open at the end")
    }
}

/// The text without what only lays it out, as the formatter may do it in another way where it is compiled.
private func code(in text: String) -> Data {
    Data(text.utf8.filter { $0 != UInt8(ascii: " ") && $0 != UInt8(ascii: "\n") })
}

/// The texts between the fences of Swift.
private func examples(in document: String) throws -> [String] {
    var examples: [String] = []
    var example: [String]?
    for line in try lines(of: document) {
        if line.hasPrefix("```"), let ended = example {
            examples.append(ended.joined(separator: "\n"))
            example = nil
        } else if line == "```swift" {
            example = []
        } else {
            example?.append(line)
        }
    }
    return examples
}

/// The lines of an article, or of the doc comments of a source file.
private func lines(of document: String) throws -> [String] {
    let lines = try text(of: document).components(separatedBy: "\n")
    guard document.hasSuffix(".swift") else { return lines }
    return lines.compactMap { $0.wholeMatch(of: /\s*\/\/\/ ?(.*)/).map { String($0.1) } }
}

private func text(of path: String) throws -> String {
    try String(contentsOf: repository.appending(path: path), encoding: .utf8)
}

/// The README, the articles, and the sources of the library products and of what they re-export.
private func documents() throws -> [String] {
    let modules = [
        "YapDatabase", "YapDatabaseExtensions", "YapDatabaseServer", "LiveTable", "ListChanges", "FileEngine",
        "TerminalCells", "TableModel", "TerminalScreen",
    ]
    let articles = try files(below: "docs") { $0.hasSuffix(".md") }
    let sources = try modules.flatMap {
        try files(below: "Sources/\($0)") { $0.hasSuffix(".swift") || $0.hasSuffix(".md") }
    }
    return try (["README.md"] + articles + sources).filter { try text(of: $0).contains("```") }
}

private func files(below folder: String, where isWanted: (String) -> Bool) throws -> [String] {
    let paths = try FileManager.default.subpathsOfDirectory(atPath: repository.appending(path: folder).path)
    return paths.filter(isWanted).map { "\(folder)/\($0)" }.sorted()
}
