import Foundation
import TestSupport
import Testing

/// The folders of a target are its layers, and so are the folders in a folder: no two use each other, and there is no circle of more.
@Suite struct FolderTests {
    @Test(arguments: try foldersOfFolders())
    func noFoldersUseEachOther(folder: String) throws {
        let map = FolderMap(try swiftFiles(below: folder))
        #expect(map.unread.isEmpty, "\(folder): braces are not balanced in \(map.unread)")
        for pair in map.mutualPairs.sorted() {
            Issue.record(
                """
                \(folder): the folders \(pair.first) and \(pair.second) use each other. Move what the lower one needs into \
                it, or have the upper one hand it over.
                \(map.explanation(of: pair))
                """)
        }
        let circle = map.foldersInCircles.sorted()
        #expect(circle.isEmpty, "\(folder): these folders use each other in a circle: \(circle)")
    }

    /// A folder `Compatibility` has other names for what there is. Code that uses them would teach a second way to do a thing.
    @Test(arguments: try targets())
    func noFolderUsesCompatibility(target: String) throws {
        let files = try swiftFiles(below: target)
        for (folder, used) in FolderMap(files).uses where folder != "Compatibility" {
            let uses = (used["Compatibility"] ?? []).sorted()
            #expect(uses.isEmpty, "\(target): use the names of which these are aliases: \(uses)")
        }
        let (above, below) = (files.filter(\.key.isCompatibility), files.filter { !$0.key.isCompatibility })
        guard !above.isEmpty else { return }
        let aliases = names(in: above, /\b(?:func|var|let) `?(\w+)/)
            .subtracting(names(in: below, /\b(?:func|var|let|case) `?(\w+)/))
        #expect(!aliases.isEmpty)
        let used = aliases.intersection(words(in: below)).sorted()
        #expect(used.isEmpty, "\(target): use the names of which these are aliases: \(used)")
    }
}

extension String {
    fileprivate var isCompatibility: Bool { hasPrefix("Compatibility/") }
}

/// What a pattern finds in the code of files, without comments.
private func names(in files: [String: String], _ pattern: Regex<(Substring, Substring)>) -> Set<String> {
    var names: Set<String> = []
    for line in files.values.flatMap({ $0.split(separator: "\n") }) {
        for match in line.prefix(while: { $0 != "/" }).matches(of: pattern) { names.insert(String(match.1)) }
    }
    return names
}

/// Every word of the code of files, without comments. They are too many for a regular expression.
private func words(in files: [String: String]) -> Set<String> {
    func isOfWord(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "_"): true
        case UInt8(ascii: "0")...UInt8(ascii: "9"), 0x80...: true
        default: false
        }
    }
    var words: Set<String> = []
    for text in files.values {
        for line in text.utf8.split(separator: UInt8(ascii: "\n")) {
            let code = line.prefix { $0 != UInt8(ascii: "/") }
            for word in code.split(whereSeparator: { !isOfWord($0) }) { words.insert(String(Substring(word))) }
        }
    }
    return words
}

/// Every folder of `Sources` and `Demo` that has Swift in it, and the benchmarks.
private func targets() throws -> [String] {
    let folders = try ["Sources", "Demo"].flatMap { parent in
        try FileManager.default.contentsOfDirectory(atPath: repository.appending(path: parent).path).map {
            "\(parent)/\($0)"
        }
    }
    return try (folders + ["Benchmarks"]).filter { try !swiftFiles(below: $0).isEmpty }.sorted()
}

/// The targets, and every folder in them that has folders with Swift in them.
private func foldersOfFolders() throws -> [String] {
    try targets().flatMap { target in
        let parents = try swiftFiles(below: target).keys.map { $0.split(separator: "/").dropLast() }
        let nested = Set(parents.flatMap { path in (0..<path.count).map { path.prefix($0).joined(separator: "/") } })
        return [target] + nested.filter { !$0.isEmpty }.map { "\(target)/\($0)" }
    }.sorted()
}

/// The text of each file, by its path below the folder.
private func swiftFiles(below folder: String) throws -> [String: String] {
    let url = repository.appending(path: folder)
    let paths = try FileManager.default.subpathsOfDirectory(atPath: url.path).filter { $0.hasSuffix(".swift") }
    return Dictionary(
        uniqueKeysWithValues: try paths.map {
            ($0, try String(contentsOf: url.appending(path: $0), encoding: .utf8))
        })
}
