@MainActor @Suite struct RangeTests {
    @Test func aFixedRangeShowsTheTwentyBest() throws {
        try withDatabase { database in
            try database.registerSalesRank(as: "salesRank")
            try database.sell((1...30).map { 10 * $0 })
            let screen = Screen()
            let controller = try BestSellersViewController(
                dbConnection: database.newConnection(), tableView: screen.tableView)
            try controller.viewDidLoad()
            #expect(screen.rows == [texts((1...20).map { 10 * $0 })])
            // A new best seller pushes the twentieth out.
            try database.sell([5])
            try controller.follow()
            #expect(controller.lastChanges.rowChanges.map(\.type) == [.insert, .delete])
            #expect(screen.rows == [texts([5] + (1...19).map { 10 * $0 })])
            // Fewer items than the length.
            try database.discontinue((3...30).map { 10 * $0 })
            try controller.follow()
            #expect(screen.rows == [texts([5, 10, 20])])
        }
    }

    @Test func aFixedRangeShowsTheLastThirtyFive() throws {
        try withDatabase { database in
            try database.registerMessages(of: "c1")
            try database.send(1...100, to: "c1")
            let screen = Screen()
            let controller = try NewestViewController(
                dbConnection: database.newConnection(), tableView: screen.tableView)
            try controller.viewDidLoad()
            #expect(screen.rows == [texts(66...100)])
            try database.send([101], to: "c1")
            try controller.follow()
            #expect(screen.rows == [texts(67...101)])
            try database.delete(70...100, from: "c1")
            try controller.follow()
            #expect(screen.rows == [texts(36...69) + ["101"]])
        }
    }

    @Test func aFlexibleRangeGrowsAndShrinksBetweenItsLimits() throws {
        try withDatabase { database in
            try database.registerMessages(of: "c1")
            try database.send(1001...1100, to: "c1")
            let screen = Screen()
            let controller = try MessagesViewController(
                dbConnection: database.newConnection(), tableView: screen.tableView)
            try controller.viewDidLoad()
            #expect(screen.rows == [texts(1051...1100)])
            let options = controller.mappings?.rangeOptions(forGroup: "c1")
            #expect(options?.maxLength == 300 && options?.minLength == 20)
            // It grows with messages that come, and shrinks with those that are deleted.
            try database.send([1101], to: "c1")
            try controller.follow()
            #expect(screen.rows == [texts(1051...1101)])
            try database.delete(1100...1101, from: "c1")
            try controller.follow()
            #expect(screen.rows == [texts(1051...1099)])
            // Older messages stay out of sight.
            try database.send(1...10, to: "c1")
            try controller.follow()
            #expect(screen.rows == [texts(1051...1099)])
            // Beyond the greatest length it drops items from the side opposite its pinned side.
            try database.send(1101...1400, to: "c1")
            try controller.follow()
            #expect(screen.rows == [texts(1101...1400)])
            // Below the least length it moves backwards.
            try database.delete(1110...1400, from: "c1")
            try controller.follow()
            #expect(screen.rows == [texts(1089...1099) + texts(1101...1109)])
        }
    }

    @Test func aFlexibleRangeStaysPutWhereItWasToldToBe() throws {
        try withDatabase { database in
            try database.registerSalesRank(as: "salesRank")
            try database.sell(0..<100)
            let screen = Screen()
            let controller = try OffsetViewController(
                dbConnection: database.newConnection(), tableView: screen.tableView)
            try controller.viewDidLoad()
            #expect(screen.rows == [texts(25..<75)])
            try database.sell([100])
            try controller.follow()
            #expect(controller.lastChanges.isEmpty, "There was none.")
            #expect(controller.mappings?.rangeOptions(forGroup: "books")?.offset == 26)
            #expect(screen.rows == [texts(25..<75)])
            try database.discontinue([0, 99, 100])
            try controller.follow()
            #expect(controller.mappings?.rangeOptions(forGroup: "books")?.offset == 24)
            #expect(screen.rows == [texts(25..<75)])
        }
    }

    @Test func theWholeListIsReversed() throws {
        try withDatabase { database in
            try database.registerSalesRank(as: "SalesRank")
            try database.sell(1...40)
            let screen = Screen()
            let controller = try WorstSellersViewController(
                dbConnection: database.newConnection(), tableView: screen.tableView)
            try controller.viewDidLoad()
            #expect(screen.rows == [texts((1...40).reversed())])
            try database.sell([41])
            try controller.follow()
            #expect(controller.lastChanges.rowChanges.map(\.newIndexPath) == [IndexPath(row: 0, section: 0)])
            #expect(screen.rows == [texts((1...41).reversed())])
        }
    }

    @Test(arguments: [false, true]) func aRangeAndAReversalMeanTheSameInEitherOrder(reversesFirst: Bool) throws {
        try withDatabase { database in
            try database.registerSalesRank(as: "SalesRank")
            try database.sell(1...100)
            let screen = Screen()
            let controller = try ClearanceViewController(
                dbConnection: database.newConnection(), tableView: screen.tableView)
            controller.reversesFirst = reversesFirst
            try controller.viewDidLoad()
            #expect(screen.rows == [texts((81...100).reversed())])
            try database.sell([101])
            try controller.follow()
            #expect(screen.rows == [texts((82...101).reversed())])
        }
    }
}
