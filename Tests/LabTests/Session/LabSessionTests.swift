import LiveTable
import Testing

@testable import AnimationLab

@Suite struct LabSessionTests {
    @Test func anEditIsATransactionAndAStep() throws {
        try withSession(.small) { session in
            let outcome = try session.perform(.insertAfter(.lab("k1")))
            #expect(session.shown == "A: k1 k5 k2 k3 | B: k4")
            #expect(outcome?.text == ["insert [0,1] c/k5 (object, metadata)"])
            #expect(session.steps.count == 1 && session.position == 1)
            #expect(session.lastMove?.problem == nil)
        }
    }

    @Test func everyKindOfEditDoesWhatItSays() throws {
        try withSession(.small) { session in
            _ = try session.perform(.insertBefore(.lab("k1")))
            #expect(session.shown == "A: k5 k1 k2 k3 | B: k4")
            _ = try session.perform(.moveDown(.lab("k5")))
            #expect(session.shown == "A: k1 k5 k2 k3 | B: k4")
            _ = try session.perform(.moveUp(.lab("k3")))
            #expect(session.shown == "A: k1 k5 k3 k2 | B: k4")
            _ = try session.perform(.moveToGroup(.lab("k5"), by: 1))
            #expect(session.shown == "A: k1 k3 k2 | B: k4 k5")
            #expect(try session.perform(.touch(.lab("k4")))?.text == ["update [1,0] -> [1,0] c/k4 (object)"])
            _ = try session.perform(.changeText(.lab("k4")))
            #expect(session.rows[.lab("k4")]?.row.text == "t 2")
            _ = try session.perform(.changeMetadata(.lab("k4")))
            #expect(session.rows[.lab("k4")]?.metadata == "m 2")
            _ = try session.perform(.delete(.lab("k1")))
            #expect(session.shown == "A: k3 k2 | B: k4 k5")
            _ = try session.perform(.insertAtRandom)
            #expect(session.state.shown.sections.map(\.rows.count).reduce(0, +) == 5)
            _ = try session.perform(.deleteAll)
            #expect(session.shown == "A: | B:")
        }
    }

    @Test func aReversedGroupIsEditedInTheOrderOfTheScreen() throws {
        var scenario = DatabaseScenario.small
        scenario.mappings.config = [.reverse(true, group: "A")]
        try withSession(scenario) { session in
            #expect(session.shown == "A: k3 k2 k1 | B: k4")
            _ = try session.perform(.insertAfter(.lab("k3")))
            #expect(session.shown == "A: k3 k5 k2 k1 | B: k4")
            _ = try session.perform(.moveDown(.lab("k3")))
            #expect(session.shown == "A: k5 k3 k2 k1 | B: k4")
        }
    }

    @Test func whatMakesNoSenseIsRefusedWithASentence() throws {
        try withSession(.small) { session in
            #expect(throws: LabRefusal("k1 is the first of A already.")) { try session.perform(.moveUp(.lab("k1"))) }
            #expect(throws: LabRefusal("There is no group below that of k4.")) {
                try session.perform(.moveToGroup(.lab("k4"), by: 1))
            }
            #expect(throws: LabRefusal("This is the beginning.")) { try session.undo() }
            #expect(throws: LabRefusal("A storm has 1 to 10000 edits.")) {
                try session.perform(.storm(count: 0, seed: 1))
            }
            #expect(session.steps.isEmpty)
        }
    }

    @Test func thereIsAlwaysRoomBetweenTwoRows() throws {
        try withSession(.small) { session in
            var last = RowKey.lab("k1")
            for number in 5..<25 {
                _ = try session.perform(.insertAfter(last))
                last = .lab("k\(number)")
            }
            #expect(session.shown == "A: k1 \((5..<25).map { "k\($0)" }.joined(separator: " ")) k2 k3 | B: k4")
        }
    }

    @Test func aStormIsTheSameForTheSameSeed() throws {
        func afterStorm(_ seed: UInt64) throws -> String {
            try withSession(.small) { session in
                _ = try session.perform(.storm(count: 50, seed: seed))
                #expect(session.lastMove?.problem == nil)
                return session.shown
            }
        }
        #expect(try afterStorm(3) == afterStorm(3))
        #expect(try afterStorm(3) != afterStorm(4))
    }
}
