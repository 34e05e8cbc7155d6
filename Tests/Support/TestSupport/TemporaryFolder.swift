import Foundation

/// Runs a test with a new empty folder, which is removed afterwards.
public func withTemporaryFolder<Value>(_ body: (URL) throws -> Value) throws -> Value {
    let folder = try makeTemporaryFolder()
    defer { try? FileManager.default.removeItem(at: folder) }
    return try body(folder)
}

/// Like `withTemporaryFolder`, in memory where the system has a place for that: for tests of what many files contain, which would
/// wait for the disk most of the time.
public func withFolderInMemory<Value>(_ body: (URL) throws -> Value) throws -> Value {
    let memory = URL(filePath: "/dev/shm", directoryHint: .isDirectory)
    guard access(memory.path, W_OK) == 0 else { return try withTemporaryFolder(body) }
    let folder = try makeTemporaryFolder(in: memory)
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

private func makeTemporaryFolder(in place: URL = FileManager.default.temporaryDirectory) throws -> URL {
    // Without digits: tests look for numbers on screens, which show paths too. And short, as paths on narrow screens are.
    let name = String((0..<6).map { _ in "abcdefghijklmnopqrstuvwxyz".randomElement()! })
    let folder = place.appending(path: "yap-\(name)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
    return folder
}
