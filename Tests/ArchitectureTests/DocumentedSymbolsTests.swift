import Foundation
import TestSupport
import Testing

/// Every public symbol of the library products, and of the modules that they re-export, is documented.
///
/// What counts is what the compiler gives to the documentation. A symbol that fulfils a requirement of a protocol, such as `==`,
/// `hash(into:)` or `next()`, may leave the comment to the requirement, whose comment is shown then. Members that the compiler
/// derives have none.
@Suite struct DocumentedSymbolsTests {
    @Test func everyPublicSymbolIsDocumented() throws {
        let symbols = try publicSymbols()
        #expect(symbols.count > 1_500)
        let undocumented = symbols.filter { $0.docComment == nil }.map(\.description).sorted()
        #expect(
            undocumented.isEmpty,
            """
            \(undocumented.count) public symbols have no doc comment:
            \(undocumented.joined(separator: "\n"))
            """)
    }
}

/// A file of the compiler's description of a module, as far as it is read here.
private struct SymbolGraph: Decodable {
    struct Symbol: Decodable, CustomStringConvertible {
        struct Identifier: Decodable {
            var precise: String
        }
        struct Comment: Decodable {}
        struct Location: Decodable {
            struct Position: Decodable {
                var line: Int
            }
            var uri: String
            var position: Position
        }

        var identifier: Identifier
        var pathComponents: [String]
        var docComment: Comment?
        var location: Location?

        var description: String {
            let path = location.map { location in
                let file = location.uri.replacing(/^.*\/Sources\//, with: "Sources/")
                return "\(file):\(location.position.line + 1): "
            }
            return (path ?? "") + pathComponents.joined(separator: ".")
        }
    }

    var symbols: [Symbol]
}

/// Returns the symbols of the modules that were built together with these tests.
private func publicSymbols() throws -> [SymbolGraph.Symbol] {
    let tests = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    return try withTemporaryFolder { folder in
        let process = Process()
        process.executableURL = URL(filePath: "/bin/sh")
        process.arguments = [
            repository.appending(path: "Scripts/extract-symbols.sh").path,
            URL(filePath: tests).deletingLastPathComponent().path, folder.path,
        ]
        process.standardInput = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        #expect(process.terminationStatus == 0, "The compiler cannot describe the modules: its messages are above.")
        return try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil).flatMap {
            file in
            try JSONDecoder().decode(SymbolGraph.self, from: Data(contentsOf: file)).symbols
        }
        .filter { !$0.identifier.precise.contains("::SYNTHESIZED::") }
    }
}
