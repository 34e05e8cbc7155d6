import Testing

@testable import ChatRoster

/// People who act by a script.
@Suite struct ScriptTests {
    @Test func aFileSaysWhoDoesWhatAndWhen() throws {
        var script = try ScriptFile(
            """
            # a comment
            1.5 bob #tea Hello, all.

            0.5 bob @alice You too.
            2 carol away at lunch
            1 carol here
            1 bob gone
            """, speed: 2, now: 10)
        #expect(script.people == ["bob", "carol"] && script.nextTime == 10.75)
        #expect(script.due(by: 10.75) == [.says("bob", in: .room("tea"), "Hello, all.")])
        #expect(script.due(by: 11) == [.says("bob", in: Conversation("alice", "bob"), "You too.")])
        #expect(script.due(by: 100) == [.goesAway("carol", status: "at lunch"), .comes("carol"), .leaves("bob")])
        #expect(script.nextTime == nil)
    }

    @Test(arguments: ["x bob #tea hi", "1 bob", "1 bob tea hi", "1 b&b #tea hi", "-1 bob #tea hi", "1 bob #tea"])
    func aWrongLineIsNamed(line: String) {
        let error = #expect(throws: ScriptError.self) { try ScriptFile("1 bob #tea hi\n\(line)", speed: 1, now: 0) }
        #expect(error?.line == 2)
    }

    @Test func theSameSeedDoesTheSame() {
        func events(_ seed: UInt64) -> [ScriptEvent] {
            var script = DemoScript(seed: seed, speed: 1, with: "me", now: 0)
            return script.due(by: 60)
        }
        #expect(events(7) == events(7) && events(7) != events(8) && events(7).count > 20)
    }

    @Test func anyoneWhoIsWrittenToAnswers() {
        var script = DemoScript(seed: 7, speed: 1, with: "me", now: 0)
        let pair = Conversation("me", "Frank")
        script.hear(Message("hi", in: pair, by: "me"), at: 0)
        let answers = script.due(by: 6).filter { if case .says("Frank", pair, _) = $0 { true } else { false } }
        #expect(!answers.isEmpty)
    }
}
