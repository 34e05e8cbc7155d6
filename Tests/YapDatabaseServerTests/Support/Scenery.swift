import Foundation
import PostgreSQLTesting

/// The shared server and an empty folder, for async tests.
func scenery() throws -> (PostgreSQLServer, URL) {
    let folder = FileManager.default.temporaryDirectory.appending(path: "yap-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    return (try PostgreSQLServer.shared.get(), folder)
}
