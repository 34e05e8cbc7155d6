import Foundation
import ListChanges
import TestSupport
import Testing

@testable import FileEngine
@testable import ViewPageKeys
@testable import YapDatabase

/// The state that a process makes of the one before and of what a commit of another process says of pages is the one that it would load.
@Suite struct AdvancedStateTests {
    private static func pages(_ state: ViewState) -> [String] {
        var all: [String] = []
        state.groups.forEach { group, list in
            list.pages.forEach { label, page in
                all.append("\(group) \(page.content.key) \(page.count)")
                let address = state.addresses[page.content.name]
                #expect(address?.group == group && address?.label == label)
                return true
            }
            return true
        }
        #expect(state.addresses.count == all.count)
        return all
    }

    @Test(arguments: Effort.some([1, 2, 3, 4] as [UInt64])) func itIsTheOneThatIsLoaded(seed: UInt64) throws {
        try withTemporaryDatabase { database throws in
            var random = SplitMix64(seed: seed)
            database.registerItems()
            try database.register(Item.view(), withName: "items")
            let connection = try database.newConnection()
            var state = try connection.read { try ViewState($0.store.pages(ofView: "items"), view: "items") }
            var advances = 0
            for step in 0..<Effort.cases(400) {
                let count = [1, 2, 5, 80][random.below(4)]
                try connection.readWrite { transaction in
                    if random.below(60) == 0 { try transaction.removeAllObjects(inCollection: "c") }
                    for _ in 0..<count {
                        let key = "k\(random.below(600))"
                        if random.percent(30) {
                            try transaction.removeObject(forKey: key, inCollection: "c")
                        } else {
                            let group = ["A", "B", "é", "e\u{301}"][random.below(4)]
                            let item = Item(group: group, sort: random.below(200), text: "")
                            try transaction.setObject(item, forKey: key, inCollection: "c")
                        }
                    }
                }
                let commit = try #require(database.commitLog.commit(database.snapshot))
                let context: Comment = "seed \(seed), step \(step)"
                try connection.read { transaction throws in
                    let store = transaction.store
                    let loaded = try ViewState(store.pages(ofView: "items"), view: "items")
                    if let log = commit.logs["items"] as? ViewLog {
                        let bytes = try #require(log.bytes)
                        let read = try #require(ViewLog(bytes[...]))
                        #expect(read.pages.map(Set.init) == log.pages.map(Set.init), context)
                        if let next = try state.advanced(by: [read], of: "items", in: store) as? ViewState {
                            advances += 1
                            #expect(Self.pages(next) == Self.pages(loaded), context)
                            state = next
                        } else {
                            state = loaded
                        }
                    }
                    #expect(Self.pages(state) == Self.pages(loaded), context)
                }
            }
            #expect(advances > Effort.cases(400) / 2, "seed \(seed)")
        }
    }

    /// Names that are left out, or that other pages have.
    @Test(arguments: Effort.some([1, 2, 3, 4] as [UInt64]))
    func aLogThatNamesOtherPagesGivesNoStateOrOneWithTheFilesPages(
        seed: UInt64
    ) throws {
        try withTemporaryDatabase { database throws in
            var random = SplitMix64(seed: seed)
            database.registerItems()
            try database.register(Item.view(), withName: "items")
            let connection = try database.newConnection()
            func write(_ count: Int) throws {
                try connection.readWrite { transaction in
                    for _ in 0..<count {
                        let item = Item(group: ["A", "B"][random.below(2)], sort: random.below(200), text: "")
                        try transaction.setObject(item, forKey: "k\(random.below(600))", inCollection: "c")
                    }
                }
            }
            try write(600)
            for _ in 0..<Effort.cases(200) {
                let before = try connection.read { try ViewState($0.store.pages(ofView: "items"), view: "items") }
                try write(20)
                let commit = try #require(database.commitLog.commit(database.snapshot))
                guard let log = commit.logs["items"] as? ViewLog, var names = log.pages, !names.isEmpty else {
                    continue
                }
                for _ in 0...random.below(3) where !names.isEmpty {
                    let place = random.below(names.count)
                    if random.percent(50) {
                        names.remove(at: place)
                    } else {
                        names[place] = PageName(high: random.next(), low: random.next())
                    }
                }
                try connection.read { transaction throws in
                    // Must not trap. What it says of the pages that are named is what the file says.
                    var other = ViewLog(operations: log.operations)
                    other.pages = names
                    guard let next = try before.advanced(by: [other], of: "items", in: transaction.store) as? ViewState
                    else { return }
                    let loaded = try ViewState(transaction.store.pages(ofView: "items"), view: "items")
                    let (found, real) = (Self.pages(next), Set(Self.pages(loaded)))
                    for name in Set(names).intersection(log.pages ?? []) {
                        let pages = found.filter { $0.contains(name.uuidText) }
                        #expect(pages.allSatisfy(real.contains), "seed \(seed)")
                    }
                }
            }
        }
    }
}
