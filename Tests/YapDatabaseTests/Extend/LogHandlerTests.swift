import Testing

@testable import YapDatabase

@Suite(.serialized) struct LogHandlerTests {
    @Test func anExtensionThatAFrozenConnectionCannotSeeIsExplained() throws {
        let messages = Locked<[YDBLogMessage]>([])
        YapDatabase.setLogHandler { message in messages.withLock { $0.append(message) } }
        defer { YapDatabase.setLogHandler(nil) }
        try withTemporaryDatabase { database in
            let connection = try database.newConnection()
            try connection.beginLongLivedReadTransaction()
            #expect(connection.ext("logged late") == nil)
            try database.register(RecordingExtension(), withName: "logged late")
            #expect(connection.ext("logged late") == nil)
            #expect(try connection.read { $0.ext("logged late") } == nil)
            // Other tests may have something to say meanwhile.
            let said = messages.withLock { $0 }.filter { $0.message.contains("\"logged late\"") }
            #expect(said.count == 2 && said.allSatisfy { $0.flag == .warning && $0.line > 0 })
            #expect(said.first?.fileName == "YapDatabase+Log.swift")
        }
    }
}
