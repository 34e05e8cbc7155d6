import Foundation
import TestSupport
import Testing

/// The files and folders that documents name exist.
@Suite struct NamedPathTests {
    @Test func everyPathInADocumentExists() throws {
        let known = try knownPaths()
        for document in try documents() {
            // A changelog names what there was.
            for path in try namedPaths(in: text(of: document)) where document != "CHANGELOG.md" {
                #expect(
                    known.contains(path), "\(document) names \(path), and no file of the repository is or lies there")
            }
        }
    }

    @Test func pathsAreFoundInText() {
        let text =
            "See `Connect/Write/` and `Sources/A+B.swift`, not `insert/full` or `./run`.\n```\nConnect: finish -> Views/Pages\n```"
        #expect(namedPaths(in: text) == ["Connect/Write", "Sources/A+B.swift", "Views/Pages"])
    }
}

/// Paths with a capital: in code between backticks, and in pictures.
private func namedPaths(in text: String) -> Set<String> {
    var paths: Set<String> = []
    for (index, part) in text.components(separatedBy: "\n```").enumerated() {
        if index.isMultiple(of: 2) {
            for match in part.matches(of: /`([A-Z][\w.+-]*(?:\/[\w.+-]+)*)\/?`/) where match.0.contains("/") {
                paths.insert(String(match.1))
            }
        } else if part.hasPrefix("\n") {
            for match in part.matches(of: /[A-Z]\w+(?:\/[A-Z][\w+]*)+/) { paths.insert(String(match.0)) }
        }
    }
    return paths
}

/// Every file of the repository and every folder with a file, by each end of its path: `Rows` of a target is `Sources/FileEngine/Rows`.
/// Swift files also without `.swift`.
private func knownPaths() throws -> Set<String> {
    var known: Set<String> = []
    for top in ["Sources", "Demo", "Tests", "Benchmarks", "Scripts"] {
        let url = repository.appending(path: top)
        let walk = try #require(
            FileManager.default.enumerator(at: url, includingPropertiesForKeys: [.isRegularFileKey]))
        for case let file as URL in walk {
            if file.lastPathComponent == ".build" { walk.skipDescendants() }
            guard try file.resourceValues(forKeys: [.isRegularFileKey]).isRegularFile == true else { continue }
            let parts = file.pathComponents.dropFirst(repository.pathComponents.count)
            for start in parts.indices {
                for end in start..<parts.endIndex { known.insert(parts[start...end].joined(separator: "/")) }
                known.insert(parts[start...].joined(separator: "/").replacing(".swift", with: ""))
            }
        }
    }
    return known
}
