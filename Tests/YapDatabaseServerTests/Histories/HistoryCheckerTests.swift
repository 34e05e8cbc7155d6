import Testing

/// The checker finds what it is for.
@Suite struct HistoryCheckerTests {
    private func history(_ appends: [(String, Int, Int, History.Outcome)], reads: [(Int, Int, String)] = []) -> History
    {
        let history = History()
        for (element, began, ended, outcome) in appends {
            history.note(
                History.Append(list: "l", element: element, host: 0, began: began, ended: ended, outcome: outcome))
        }
        for (began, ended, text) in reads {
            history.note(
                History.Read(list: "l", host: 0, began: began, ended: ended, elements: text.split(separator: " ")))
        }
        return history
    }

    private func violations(_ history: History, _ final: String) -> Int {
        history.violations(final: ["l": final.split(separator: " ")]).count
    }

    @Test func anHonestHistoryHasNone() {
        let appends: [(String, Int, Int, History.Outcome)] = [
            ("a", 1, 2, .stored), ("b", 3, 6, .stored), ("c", 4, 5, .stored), ("d", 7, 8, .notStored),
            ("e", 9, 10, .unknown),
        ]
        #expect(violations(history(appends, reads: [(11, 12, "a c b")]), "a c b") == 0)
        #expect(violations(history(appends), "a b c e") == 0)
    }

    @Test(arguments: [
        ("b a", "an order that time forbids"), ("a", "a lost one"), ("a b b", "one that is there twice"),
        ("a b x", "one that was never written"), ("a b d", "one that was refused"),
    ])
    func eachLieIsFound(final: String, what: String) {
        let history = history([("a", 1, 2, .stored), ("b", 3, 4, .stored), ("d", 5, 6, .notStored)])
        #expect(violations(history, final) == 1, Comment(rawValue: what))
    }

    @Test func aReadIsABeginningAndNeverGoesBack() {
        let appends: [(String, Int, Int, History.Outcome)] = [("a", 1, 2, .stored), ("b", 3, 4, .stored)]
        #expect(violations(history(appends, reads: [(5, 6, "b a")]), "a b") == 1)
        #expect(violations(history(appends, reads: [(5, 6, "a")]), "a b") == 1, "it has written b")
        #expect(violations(history([], reads: [(1, 2, "a b"), (3, 4, "a")]), "a b") > 0)
    }
}
