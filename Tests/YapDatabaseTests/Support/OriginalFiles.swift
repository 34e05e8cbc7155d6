import Foundation

/// Runs a test with a copy of a file that the original wrote.
func withOriginalFile<Value>(_ name: String, _ body: (URL) throws -> Value) throws -> Value {
    let source = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "Files/\(name).sqlite")
    return try withTemporaryFolder { folder throws in
        let copy = folder.appending(path: "\(name).sqlite")
        try FileManager.default.copyItem(at: source, to: copy)
        return try body(copy)
    }
}
