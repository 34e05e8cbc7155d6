import Testing

@testable import YapDatabase

@Suite(.serialized) struct LogHandlerTests {
    /// The default for errors stops the program: a block that is told no must not come to that.
    @Test func whyARegistrationAnsweredNoIsLogged() async throws {
        let messages = Locked<[YDBLogMessage]>([])
        YapDatabase.setLogHandler { message in messages.withLock { $0.append(message) } }
        defer { YapDatabase.setLogHandler(nil) }
        try await withTemporaryDatabase { database in
            try database.register(RecordingExtension(), withName: "taken twice")
            let isReady = await withCheckedContinuation { done in
                database.asyncRegister(RecordingExtension(), withName: "taken twice") { (ready: Bool) in
                    done.resume(returning: ready)
                }
            }
            let said = messages.withLock { $0 }.filter { $0.message.contains("\"taken twice\" is not registered") }
            #expect(!isReady && said.map(\.flag) == [.error] && said[0].message.contains("already"))
        }
    }

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
