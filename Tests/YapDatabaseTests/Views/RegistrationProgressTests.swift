import Foundation
import ListChanges
import Synchronization
import Testing

@testable import YapDatabase

/// How far the filling of a view is, and that it can be cancelled.
@Suite struct RegistrationProgressTests {
    private func fill(_ database: YapDatabase, _ count: Int, in collection: String = "c") throws {
        database.registerItems()
        try database.newConnection().readWrite { transaction throws in
            for number in 0..<count {
                let item = Item(group: number % 4 == 0 ? nil : "\(number % 4)", sort: number * 7919 % 1000, text: "t")
                try transaction.setObject(item, forKey: "k\(number)", inCollection: collection)
            }
        }
    }

    /// A view whose blocks call this with the number of their call, from 1.
    private func view(_ didCall: @escaping @Sendable (Int) -> Void) -> YapDatabaseAutoView {
        let calls = Atomic(0)
        return Item.view { didCall(calls.add(1, ordering: .relaxed).newValue) }
    }

    @Test func progressCountsEveryRow() throws {
        try withTemporaryDatabase { database throws in
            try fill(database, 2_000)
            let progress = Progress(totalUnitCount: -1)
            let seen = Locked<[Double]>([])
            let view = view { _ in seen.withLock { $0.append(progress.fractionCompleted) } }
            try database.register(view, withName: "items", progress: progress)
            let fractions = seen.withLock { $0 }
            #expect(fractions == fractions.sorted() && Set(fractions).count > 10)
            #expect(fractions.last! < 1 && progress.fractionCompleted == 1)
            #expect(progress.totalUnitCount == 6_000 && progress.isFinished)
        }
    }

    @Test func inAnEmptyFileItEndsToo() throws {
        try withTemporaryDatabase { database throws in
            database.registerItems()
            let progress = Progress(totalUnitCount: -1)
            try database.register(
                [("items", Item.view()), ("fts", Item.search()), ("all", Item.view())], progress: progress)
            #expect(progress.isFinished && progress.fractionCompleted == 1)
        }
    }

    @Test func onlyRowsThatTheViewMayHaveAreCounted() throws {
        try withTemporaryDatabase { database throws in
            try fill(database, 300, in: "c")
            try fill(database, 200, in: "d")
            let allowed = [
                "white": YapWhitelistBlacklist(whitelist: ["d", "nowhere"]), "black": .init(blacklist: ["c"]),
            ]
            for (name, list) in allowed {
                let options = YapDatabaseViewOptions()
                options.allowedCollections = list
                let view = YapDatabaseAutoView(
                    grouping: .withKeyBlock { _, _, _ in "all" },
                    sorting: .withKeyBlock { _, _, _, a, _, b in a < b ? .orderedAscending : .orderedDescending },
                    versionTag: "1", options: options)
                let progress = Progress(totalUnitCount: -1)
                try database.register(view, withName: name, progress: progress)
                #expect(progress.totalUnitCount == 600 && progress.isFinished)
            }
        }
    }

    @Test func aViewThatNeedsNoFillingIsDoneAtOnce() throws {
        try withTemporaryDatabase { database throws in
            database.registerItems()
            let progress = Progress(totalUnitCount: -1)
            try database.register(Item.view(), withName: "items", progress: progress)
            #expect(progress.isFinished)
        }
    }

    /// Cancelled by a block, in the course of reading, of sorting, and by the last call before the view is written.
    @Test(arguments: [1, 1_500, 3_000, 20_000, Int.max])
    func aCancelledRegistrationLeavesNothing(call: Int) async throws {
        try await withTemporaryDatabase { database in
            try fill(database, 2_000)
            let calls = Atomic(0)
            try await database.register(view { calls.store($0, ordering: .relaxed) }, withName: "items")
            try await database.unregisterExtension(withName: "items")
            let (last, snapshot) = (calls.load(ordering: .relaxed), database.snapshot)

            let held = Locked<Progress?>(nil)
            let cancelling = view { if $0 == min(call, last) { held.withLock { $0?.cancel() } } }
            let result: Result<Void, any Error> = await withCheckedContinuation { done in
                held.withLock { held in
                    held = database.asyncRegister(cancelling, withName: "items") { done.resume(returning: $0) }
                }
            }
            #expect(throws: CocoaError(.userCancelled)) { try result.get() }
            #expect(database.snapshot == snapshot && database.registeredExtension("items") == nil)
            #expect(try database.previouslyRegisteredExtensionNames() == [])
            let connection = try database.newConnection()
            #expect(try await !connection.read { try $0.store.hasViewTables(view: "items") })

            try await database.register(Item.view(), withName: "items")
            let rows = try await connection.read {
                ($0.ext("items") as? YapDatabaseViewTransaction)?.numberOfItemsInAllGroups()
            }
            #expect(rows == 1_500)
        }
    }

    /// The awaited form, cancelled by its task or its progress, in the course of reading, of sorting, and before its turn.
    @Test(arguments: [1, 3_000, Int.max], [true, false])
    func anAwaitedRegistrationThatIsCancelledLeavesNothing(call: Int, byTask: Bool) async throws {
        try await withTemporaryDatabase { database in
            try fill(database, 2_000)
            let (progress, task) = (Progress(totalUnitCount: -1), Locked<Task<Void, any Error>?>(nil))
            let cancel: @Sendable () -> Void = { byTask ? task.withLock { $0?.cancel() } : progress.cancel() }
            let cancelling = view { if $0 == call { cancel() } }
            let hold = DispatchSemaphore(value: 0)
            database.registrations.async { hold.wait() }
            task.withLock { task in
                task = Task { try await database.register(cancelling, withName: "items", progress: progress) }
            }
            if call == .max { cancel() }
            hold.signal()
            let result = await task.withLock { $0 }?.result
            #expect { try result?.get() } throws: { error in
                byTask ? error is CancellationError : (error as? CocoaError)?.code == .userCancelled
            }
            #expect(database.registeredExtension("items") == nil)
            #expect(try database.previouslyRegisteredExtensionNames() == [])

            let again = Progress(totalUnitCount: -1)
            try await database.register([("items", Item.view())], progress: again)
            #expect(again.isFinished && database.registeredExtension("items") != nil)
            try await database.unregisterExtension(withName: "items")
            #expect(database.registeredExtension("items") == nil)
        }
    }

    /// Declared lists and indexes, one and several.
    @Test func awaitedDeclarationsReportTheirProgress() async throws {
        try await withTemporaryDatabase { database in
            try await database.newConnection().readWrite { transaction in
                try transaction[Novel.all].save((0..<500).map { Novel($0, "title \($0)", .hall) })
            }
            let progress = [Progress(totalUnitCount: -1), Progress(totalUnitCount: -1)]
            let order = try await database.register(Novel.order, progress: progress[0])
            try await database.register(Novel.fields, Novel.texts, progress: progress[1])
            #expect(progress[0].isFinished && progress[1].isFinished)
            let count = try await database.newConnection().read { try $0[order].groups.count }
            #expect(count == 1)
        }
    }

    @Test func cancellingWithoutABlockReportsNoError() async throws {
        var options = YapDatabaseOptions.forTests
        let errors = Locked(0)
        options.asyncErrorHandler = { _ in errors.withLock { $0 += 1 } }
        try await withTemporaryDatabase(options: options) { database in
            let hold = DispatchSemaphore(value: 0)
            database.registrations.async { hold.wait() }
            database.asyncRegister(Item.view(), withName: "items").cancel()
            // Of anything else they are.
            database.asyncRegister(Item.view(), withName: "")
            hold.signal()
            await withCheckedContinuation { done in
                database.flushExtensionRequests { done.resume() }
            }
            #expect(database.registeredExtension("items") == nil && errors.withLock { $0 } == 1)
        }
    }
}
