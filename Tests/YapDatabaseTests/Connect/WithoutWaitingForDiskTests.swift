import Foundation
import Testing

@testable import YapDatabase

/// What is stored elsewhere too is committed without waiting for the disk, and nothing else is.
@Suite struct WithoutWaitingForDiskTests {
    @Test(arguments: [(YapDatabaseOptions.Synchronous.off, 0), (.normal, 1), (.full, 1)])
    func onlyTheCommitsOfTheBodyDoNotWait(setting: YapDatabaseOptions.Synchronous, inside: Int) throws {
        var options = YapDatabaseOptions()
        options.pragmaSynchronous = setting
        try withTemporaryDatabase(options: options) { database throws in
            let connection = try database.newConnection()
            let usual = try connection.pragmaSynchronous()
            try connection.exclusively { () throws in
                let store = try connection.store()
                #expect(try store.withoutWaitingForDisk { try store.pragma("synchronous") } == inside)
                #expect(try store.pragma("synchronous") == usual)
                #expect(throws: CancellationError.self) {
                    try store.withoutWaitingForDisk { () throws in throw CancellationError() }
                }
                #expect(try store.pragma("synchronous") == usual)
            }
            try connection.writePastAuthority {
                try $0.setObject(1, forKey: "k")
            } confirming: { _ in
            }
            #expect(try connection.read { try $0.object(forKey: "k") } as? Int == 1)
            #expect(try connection.pragmaSynchronous() == usual)
        }
    }
}
