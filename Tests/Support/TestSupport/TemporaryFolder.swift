import Foundation

/// Runs a test with a new empty folder, which is removed afterwards.
public func withTemporaryFolder<Value>(_ body: (URL) throws -> Value) throws -> Value {
    let folder = try makeTemporaryFolder()
    defer { try? FileManager.default.removeItem(at: folder) }
    return try body(folder)
}

/// The async form.
public func withTemporaryFolder<Value>(
    isolation: isolated (any Actor)? = #isolation, _ body: (URL) async throws -> Value
) async throws -> Value {
    let folder = try makeTemporaryFolder()
    defer { try? FileManager.default.removeItem(at: folder) }
    return try await body(folder)
}

private func makeTemporaryFolder() throws -> URL {
    let folder = FileManager.default.temporaryDirectory.appending(path: "yap-\(nameWithoutDigits())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    return folder
}

/// A name that no other file has. Tests look for numbers on screens, which show paths too: a path must not have them by chance.
private func nameWithoutDigits() -> String {
    // The letters G to P stand for the digits; the others are A to F.
    String(
        UUID().uuidString.unicodeScalars.map { scalar in
            "0"..."9" ~= scalar ? Character(UnicodeScalar(UInt8(scalar.value) + 23)) : Character(scalar)
        })
}
