import Foundation
import Testing

@testable import YapDatabase

/// Several processes open one file that does not exist yet.
@Suite struct OpenTogetherTests {
    private static func url(_ process: Int32) -> URL {
        FileManager.default.temporaryDirectory.appending(path: "yap-together-\(process)/t.sqlite")
    }

    @Test func oneMakesTheFileAndAllUseIt() async throws {
        let url = Self.url(getpid())
        let folder = url.deletingLastPathComponent()
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<4 {
                group.addTask {
                    await #expect(processExitsWith: .success) {
                        let database = try YapDatabase(url: Self.url(getppid()), options: .forTests)
                        try database.newConnection().syncReadWrite { try $0.setObject(1, forKey: "\(getpid())") }
                        try database.close()
                    }
                }
            }
        }
        #expect(try YapDatabase.check(url: url).isEmpty)
        let database = try YapDatabase(url: url, options: .forTests)
        #expect(try await database.newConnection().read { try $0.numberOfKeysInAllCollections() } == 4)
        #expect(database.snapshot == 4)
        try database.close()
        try FileManager.default.removeItem(at: folder)
    }
}
