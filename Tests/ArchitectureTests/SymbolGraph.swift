import Foundation
import TestSupport
import Testing

/// A file of the compiler's description of a module, as far as it is read here.
struct SymbolGraph: Decodable {
    struct Symbol: Decodable, CustomStringConvertible {
        struct Identifier: Decodable {
            var precise: String
        }
        struct Kind: Decodable {
            var identifier: String
        }
        struct Position: Decodable {
            var line: Int
        }
        struct Location: Decodable {
            var uri: String
            var position: Position
        }
        struct Comment: Decodable {
            struct Line: Decodable {
                struct Range: Decodable {
                    var end: Position
                }
                var text: String
                var range: Range?
            }
            var uri: String?
            var lines: [Line]
        }
        struct Fragment: Decodable {
            var spelling: String
        }
        struct Signature: Decodable {
            struct Parameter: Decodable {
                var name: String
                var internalName: String?
                var declarationFragments: [Fragment]
            }
            var parameters: [Parameter]?
        }

        var identifier: Identifier
        var kind: Kind
        var pathComponents: [String]
        var docComment: Comment?
        var location: Location?
        var declarationFragments: [Fragment]?
        var functionSignature: Signature?

        var description: String { (place.map { "\($0): " } ?? "") + pathComponents.joined(separator: ".") }

        /// The file and the line of the declaration.
        var place: String? {
            location.map { location in
                let file = location.uri.replacing(/^.*\/Sources\//, with: "Sources/")
                return "\(file):\(location.position.line + 1)"
            }
        }
    }

    var symbols: [Symbol]

    /// The public symbols of the library products, and of the modules that they re-export: of those that were built together with these
    /// tests.
    static let all: Result<[Symbol], any Error> = Result { try extracted() }

    private static func extracted() throws -> [Symbol] {
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
}
