import LiveTable
import NearestName
import Testing

@testable import ChatRoster

/// Commands, completion and the list of conversations.
@Suite struct CommandTests {
    @Test func linesWithASlashAreCommands() throws {
        #expect(try ChatCommand("/me waves") == .me("waves"))
        #expect(try ChatCommand("/join #tea") == .join("#tea"))
        #expect(try ChatCommand("/away") == .away(nil) && ChatCommand("/away lunch time") == .away("lunch time"))
        #expect(
            try ChatCommand("/msg dave hi, you") == .say("hi, you", to: "dave")
                && ChatCommand("/msg dave") == .to("dave"))
        #expect(try ChatCommand("/bell off") == .set(.bell, false))
        #expect(try ChatCommand("hello") == nil && ChatCommand("//me is a command") == nil)
    }

    @Test(arguments: ["/nothing", "/join", "/bell maybe", "/"]) func whatIsNoneIsTold(line: String) {
        #expect(throws: BadCommand.self) { try ChatCommand(line) }
    }

    @Test(arguments: [
        ("/part", "Did you mean /leave?"), ("/exit", "Did you mean /quit?"), ("/qiut", "Did you mean /quit?"),
        ("/nick bob", "yap chat --as NAME"), ("/whois bob", "The roster shows who is here"),
        ("/xyzzyx", "/help lists them"),
    ])
    func whatMayBeMeantIsSaid(line: String, words: String) throws {
        let error = #expect(throws: BadCommand.self) { try ChatCommand(line) }
        #expect(error?.description.contains(words) == true, "\(error?.description ?? "")")
    }

    @Test func everyCommandOfTheHelpIsOne() {
        for command in ChatCommand.all {
            let argument = command.argument == "on|off" ? "on" : command.argument
            #expect(throws: Never.self) { try ChatCommand("/\(command.name) \(argument)") }
        }
    }

    @Test func tabCompletesNamesCommandsAndEmoji() {
        let names = ["bob", "Bea", "carol"]
        #expect(Candidates.of("@b", isFirst: false, names: names) == ["@bob ", "@Bea "])
        #expect(Candidates.of("bo", isFirst: true, names: names) == ["bob: "])
        #expect(Candidates.of("bo", isFirst: false, names: names) == ["bob "])
        #expect(Candidates.of("/jo", isFirst: true, names: names) == ["/join "])
        #expect(Candidates.of("/jo", isFirst: false, names: names).isEmpty)
        #expect(Candidates.of(":ta", isFirst: false, names: names, emoji: ["tada", "smile"]) == [":tada: "])
    }

    @Test func tabCompletesRoomsAndTheListOfConversationsHasThem() {
        #expect(Candidates.of("#t", isFirst: false, names: [], rooms: ["#tea", "#work", "#tv"]) == ["#tea ", "#tv "])
        let goTo = GoTo([RosterRow(seat: Seat("me", in: .room("tea"), opened: .now))], rooms: ["#tea", "#work"])
        #expect(goTo.places.map(\.title) == ["#tea", "#work"] && goTo.places.map(\.isNew) == [false, true])
    }

    @Test(arguments: [
        ("bbo", "bob"), ("Bobb", "bob"), ("carl", "carol"), ("zzz", nil), ("i22", nil), ("c", nil), ("carol", "carol"),
    ])
    func aSlipLeadsToTheNearestName(typed: String, name: String?) {
        #expect(nearestName(to: typed, in: ["alice", "bob", "carol"]) == name)
    }

    @Test func aFewLettersFindAConversation() {
        let others = ["Barbara", "bob", "Eve"].map { Conversation("me", $0) }
        let roster = ([.room("tea")] + others).map { RosterRow(seat: Seat("me", in: $0, opened: .now)) }
        var goTo = GoTo(roster)
        #expect(goTo.choice?.title == "#tea")
        goTo.line.field.text = "b"
        #expect(goTo.found.map(\.title) == ["Barbara", "bob"] || goTo.found.map(\.title) == ["bob", "Barbara"])
        let second = goTo.found[1]
        goTo.move(by: 1)
        #expect(goTo.choice == second)
        goTo.line.field.text = "te"
        #expect(goTo.choice?.title == "#tea")
        goTo.line.field.text = "brb"
        #expect(goTo.choice?.title == "Barbara")
        goTo.line.field.text = "xx"
        #expect(goTo.choice == nil)
    }
}
