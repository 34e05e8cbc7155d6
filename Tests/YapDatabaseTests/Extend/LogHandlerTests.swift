import Testing

@testable import YapDatabase

@Suite(.serialized) struct LogHandlerTests {
    /// The person who develops a program sees what no call can throw; its users do not.
    @Test func whatNoHandlerTakesIsOnStandardErrorOfADebugBuild() async throws {
        let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
            YapDatabase.log(.warning, "A row is left out.")
        }
        let text = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
        #if DEBUG
        #expect(text.contains("YapDatabase warning: A row is left out.\n"), "\(text)")
        #else
        #expect(!text.contains("left out"), "\(text)")
        #endif
    }

    /// The default for errors stops the program: a block that is told no must not come to that.
    @Test func whyARegistrationAnsweredNoIsLogged() async throws {
        let messages = Locked<[YDBLogMessage]>([])
        YapDatabase.setLogHandler { message in messages.withLock { $0.append(message) } }
        defer { YapDatabase.setLogHandler(nil) }
        try await withTemporaryDatabase { database in
            try await database.register(RecordingExtension(), withName: "taken twice")
            let isReady = await withCheckedContinuation { done in
                database.asyncRegister(RecordingExtension(), withName: "taken twice") { (ready: Bool) in
                    done.resume(returning: ready)
                }
            }
            let said = messages.withLock { $0 }.filter { $0.message.contains("\"taken twice\" is not registered") }
            #expect(!isReady && said.map(\.flag) == [.error] && said[0].message.contains("already"))
        }
    }

    /// Rows with a number that is NaN in a closure that does not say where it comes: filled, and inserted one by one. And what says anything.
    @Test(arguments: [true, false]) func anOrderThatIsNoneLosesNoRowAndIsReported(isRandom: Bool) throws {
        let messages = Locked<[YDBLogMessage]>([])
        YapDatabase.setLogHandler { message in messages.withLock { $0.append(message) } }
        defer { YapDatabase.setLogHandler(nil) }
        let order = YapOrder<Novel>.by { a, b in
            if isRandom { return [.orderedAscending, .orderedSame, .orderedDescending].randomElement()! }
            return a.price < b.price ? .orderedAscending : a.price > b.price ? .orderedDescending : .orderedSame
        }
        func list(_ name: String) -> YapList<Novel, Int, Never> {
            YapList(name, of: Novel.all, sortedBy: order, versionTag: "1")
        }
        let seed = UInt64.random(in: 0...(.max))
        var random = SplitMix64(seed: seed)
        try withTemporaryDatabase { database throws in
            try database.register(list("none, by one"))
            let connection = try database.newConnection()
            var ids: Set<Int> = []
            // Some searches, and some pairs of a group that is filled, are checked, so it is noticed sooner or later.
            func isNoticed(_ name: String) -> Bool {
                messages.withLock { $0.contains { $0.message.contains("\"\(name)\" defines") } }
            }
            func change() throws {
                try connection.readWrite { transaction throws in
                    for _ in 0..<(random.percent(10) ? 100 : 3) {
                        let id = random.below(300)
                        if random.percent(30) {
                            try transaction[Novel.all].remove(id)
                            ids.remove(id)
                        } else {
                            let price = random.percent(20) ? Double.nan : Double(random.below(100))
                            try transaction[Novel.all].save(Novel(id, "n", price: price))
                            ids.insert(id)
                        }
                    }
                }
            }
            for step in 0..<2_000 where step < 60 || !isNoticed("none, by one") { try change() }
            for step in 0..<100 where step == 0 || !isNoticed("none, filled") {
                if step > 0 { try database.unregisterExtension(withName: "none, filled") }
                try change()
                try database.register(list("none, filled"))
            }
            try connection.read { transaction throws in
                for name in ["none, by one", "none, filled"] {
                    #expect(try transaction[list(name)].values().map(\.id).sorted() == ids.sorted(), "seed \(seed)")
                }
            }
        }
        for name in ["none, by one", "none, filled"] {
            let said = messages.withLock { $0 }.filter { $0.message.contains("\"\(name)\" defines no order") }
            #expect(said.map(\.flag) == [.warning], "seed \(seed), \(name)")
        }
    }

    /// Streams, models and coordinators wait for a list, and say so once.
    @MainActor @Test func aListThatIsFollowedAndNotRegisteredIsReported() async throws {
        let messages = Locked<[YDBLogMessage]>([])
        YapDatabase.setLogHandler { message in messages.withLock { $0.append(message) } }
        defer { YapDatabase.setLogHandler(nil) }
        func said(_ name: String) -> [YDBLogMessage] {
            messages.withLock { $0 }.filter { $0.message.contains("\"\(name)\" is followed and is not registered") }
        }
        try await withTemporaryDatabase { database in
            let connection = try database.newConnection()
            func list(_ name: String) -> YapList<Novel, Int, Never> {
                YapList(name, of: Novel.all, sortedBy: .ascending(\.title))
            }
            let (followed, counted) = (list("followed"), list("counted"))
            let loop = Task {
                for try await _ in connection.updates(of: followed) { Issue.record("It has nothing to show.") }
            }
            let counts = Task {
                for try await _ in connection.counts(of: counted) { Issue.record("It has nothing to count.") }
            }
            while said("followed").isEmpty || said("counted").isEmpty { await Task.yield() }
            _ = try YapListModel(followed, in: database)
            loop.cancel()
            counts.cancel()
            _ = try await (loop.value, counts.value)
            _ = try YapListModel(list("shown"), in: database)
        }
        for name in ["followed", "counted", "shown"] { #expect(said(name).map(\.flag) == [.warning], "\(name)") }
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
