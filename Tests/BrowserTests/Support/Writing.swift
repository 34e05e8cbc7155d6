import SQLiteBridge

@testable import Browser

/// Runs a test with a browser on a file to which another program writes.
@MainActor func whileWriting(
    _ name: String, background: any Background = Immediately(),
    _ body: @MainActor (BrowserScene, (String) throws -> Void) throws -> Void
) throws {
    try withFile(name) { path in
        let writer = try SQLiteHandle(path: path, mode: .readWrite, busyTimeout: 30_000)
        try writer.execute("PRAGMA journal_mode = WAL")
        try writer.execute("CREATE TABLE IF NOT EXISTS held (a)")
        let scene = try BrowserScene(path, width: 120, height: 30, background: background)
        try body(scene) { try writer.execute($0) }
    }
}
