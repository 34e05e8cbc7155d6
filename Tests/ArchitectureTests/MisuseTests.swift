import Foundation
import Testing

/// What a program does wrong is said in release builds too, where a failed `precondition` prints nothing: the library's modules use `require`
/// or `fatalError`.
@Suite struct MisuseTests {
    /// What only the library itself can do wrong.
    private static let internals: Set<String> = [
        "SortedTree.swift", "SortedTreeNode.swift", "SortedTreeStub.swift", "SlotTable.swift", "FrameBuffer.swift",
        "TerminalDevice.swift",
    ]

    @Test(arguments: [
        "YapDatabase", "YapDatabaseExtensions", "YapDatabaseServer", "LiveTable", "ScreenPrograms", "TerminalScreen",
        "ListChanges", "FileEngine",
    ])
    func noPublicFunctionStopsWithoutASentence(module: String) throws {
        let sources = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appending(path: "Sources/\(module)")
        let files = try #require(FileManager.default.enumerator(at: sources, includingPropertiesForKeys: nil))
            .compactMap { $0 as? URL }.filter { $0.pathExtension == "swift" }
        #expect(!files.isEmpty)
        for file in files where !Self.internals.contains(file.lastPathComponent) {
            let calls = try String(contentsOf: file, encoding: .utf8).split(separator: "\n").filter { line in
                // The regular expression would look at each character of each file.
                guard line.contains("precondition") else { return false }
                let code = line.drop { $0 == " " }
                return !code.hasPrefix("//") && line.contains(/\bprecondition(Failure)?\(/)
            }
            #expect(calls.isEmpty, "\(file.lastPathComponent): \(calls)")
        }
    }
}
