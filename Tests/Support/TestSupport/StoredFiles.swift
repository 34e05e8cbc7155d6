import Foundation

/// The package's folder.
public let repository = (0..<4).reduce(URL(filePath: #filePath)) { folder, _ in folder.deletingLastPathComponent() }

/// A file that the original wrote. Must not be changed: see ``withCopy(of:_:)``.
public func originalFile(_ name: String) -> URL { repository.appending(path: "Tests/Files/\(name).sqlite") }

/// Runs a test with a copy of a file that the original wrote, in a new folder.
public func withCopy<Value>(of name: String, _ body: (URL) throws -> Value) throws -> Value {
    try withTemporaryFolder { try body(copy(of: name, in: $0)) }
}

/// The async form.
public func withCopy<Value>(
    of name: String, isolation: isolated (any Actor)? = #isolation, _ body: (URL) async throws -> Value
) async throws -> Value {
    try await withTemporaryFolder { try await body(copy(of: name, in: $0)) }
}

private func copy(of name: String, in folder: URL) throws -> URL {
    let copy = folder.appending(path: "\(name).sqlite")
    try FileManager.default.copyItem(at: originalFile(name), to: copy)
    return copy
}

/// Scenarios with the original's own answers.
public enum StoredVectors {
    public static let families = [
        "big", "consolidation", "dependencies", "dynamic", "dynamicGroups", "fixed", "fixedReversed", "flexible",
        "flexibleGrow", "flexibleMax", "flexibleMaxMin", "flexibleMin", "flexibleReversed", "lateConfig", "mixed",
        "plain", "reconfigure", "reversed",
    ]

    /// A JSON object for each scenario.
    public static func lines(of family: String) throws -> [[UInt8]] {
        try Data(contentsOf: repository.appending(path: "Tests/Vectors/\(family).jsonl"))
            .split(separator: UInt8(ascii: "\n")).map { Array($0) }
    }
}
