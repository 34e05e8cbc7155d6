import Foundation
import TestSupport
import Testing

/// The documents of the repository: their links lead somewhere, the first two are short, and `docs/targets.md` is complete.
@Suite struct DocumentTests {
    @Test(arguments: try documents())
    func everyLinkLeadsSomewhere(document: String) throws {
        let folder = repository.appending(path: document).deletingLastPathComponent()
        for match in try text(of: document).matches(of: /\]\(([^)\s]+)\)/) {
            let target = String(match.1)
            guard !target.contains("://"), !target.hasPrefix("mailto:") else { continue }
            let parts = target.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            let file = parts[0].isEmpty ? repository.appending(path: document) : folder.appending(path: parts[0])
            #expect(FileManager.default.fileExists(atPath: file.path), "\(document): \(target) leads nowhere")
            guard parts.count == 2, let linked = try? String(contentsOf: file, encoding: .utf8) else { continue }
            #expect(anchors(of: linked).contains(parts[1]), "\(document): \(target) is no heading")
        }
    }

    /// A newcomer reads these two first.
    @Test(arguments: ["README.md", "ARCHITECTURE.md"])
    func theFirstDocumentsAreShort(document: String) throws {
        #expect(try text(of: document).utf8.count <= 14 * 1_024, "\(document): move details to `docs`")
    }

    @Test func everyTargetIsDescribed() throws {
        let table = try text(of: "docs/targets.md").components(separatedBy: "\n## ")[0]
        let packages = ["Hello", "Headless", "Contacts"]
        for target in try folders(of: "Sources") + folders(of: "Demo") where !packages.contains(target) {
            let name = target == "TerminalCast" ? "terminal-cast" : target
            #expect(table.contains("`\(name)`"), "docs/targets.md has no line for \(target)")
        }
    }

    /// The table of layers names every folder of a target that it has.
    @Test func everyFolderIsDescribed() throws {
        let rows = try text(of: "docs/targets.md").split(separator: "\n").filter { $0.hasPrefix("| `") }
        let layers = try #require(try text(of: "docs/targets.md").components(separatedBy: "\n## Folders").last)
        for row in rows where layers.contains(row) {
            let target = String(row.split(separator: "`")[1])
            let isDemo = try folders(of: "Demo").contains(target)
            let words = Set(row.split { !$0.isLetter }.map(String.init))
            for folder in try folders(of: (isDemo ? "Demo/" : "Sources/") + target)
            where !folder.hasSuffix(".docc") && target != "yap" {
                #expect(words.contains(folder), "docs/targets.md: the row of \(target) lacks the folder \(folder)")
            }
        }
    }
}

/// The documents of the repository, the first ones first.
func documents() throws -> [String] {
    let paths = try FileManager.default.subpathsOfDirectory(atPath: repository.appending(path: "docs").path)
    return ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md"]
        + paths.filter { $0.hasSuffix(".md") }.map { "docs/\($0)" }.sorted()
}

func text(of document: String) throws -> String {
    try String(contentsOf: repository.appending(path: document), encoding: .utf8)
}

/// The folders in a folder that have Swift in them. An empty one is none of the repository.
private func folders(of folder: String) throws -> [String] {
    let url = repository.appending(path: folder)
    let paths = try FileManager.default.subpathsOfDirectory(atPath: url.path)
    return Set(paths.filter { $0.hasSuffix(".swift") && $0.contains("/") }.map { String($0.prefix { $0 != "/" }) })
        .sorted()
}

/// The names by which the headings of a document can be linked to.
private func anchors(of text: String) -> Set<String> {
    Set(
        text.split(separator: "\n").filter { $0.hasPrefix("#") }.map { line in
            let title = line.drop { $0 == "#" || $0 == " " }.lowercased()
            return String(title.filter { $0.isLetter || $0.isNumber || $0 == " " || $0 == "-" || $0 == "_" })
                .replacing(" ", with: "-")
        })
}
