import Foundation
import Testing

struct CheckResult {
    let code: Int32?
    let text: String
    let errors: String
}

/// Runs `yap check` to its end.
func check(_ arguments: [String]) throws -> CheckResult {
    let process = try YapProcess(["check"] + arguments)
    try process.endInput()
    var lines: [String] = []
    while let line = try process.readLine() { lines.append(line + "\n") }
    return CheckResult(code: process.exitCode(), text: lines.joined(), errors: process.errorText())
}

/// What is at a database's place: the bytes of the file, its log and the log's index, and the names beside them.
struct FileTrace: Equatable {
    private let names: [String]
    private let bytes: [Data?]

    init(_ url: URL) throws {
        names = try FileManager.default.contentsOfDirectory(atPath: url.deletingLastPathComponent().path).sorted()
        bytes = ["", "-wal", "-shm"].map { FileManager.default.contents(atPath: url.path + $0) }
    }
}

/// Runs a test with a copy of a file that the original wrote, in a folder of its own.
func withCopy(of name: String, _ body: (URL) async throws -> Void) async throws {
    let source = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "Files/\(name).sqlite")
    try await withTemporaryFolder { folder in
        let copy = folder.appending(path: "\(name).sqlite")
        try FileManager.default.copyItem(at: source, to: copy)
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: copy.path)
        try await body(copy)
    }
}
