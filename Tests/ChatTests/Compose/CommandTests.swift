import LiveTable
import Testing

@testable import ChatRoster

/// Commands, completion and the list of conversations.
@Suite struct CommandTests {
    @Test func linesWithASlashAreCommands() throws {
        #expect(try ChatCommand("/me waves") == .me("waves"))
        #expect(try ChatCommand("/join #tea") == .join("#tea"))
        #expect(try ChatCommand("/away") == .away(nil) && ChatCommand("/away lunch time") == .away("lunch time"))
        #expect(try ChatCommand("/bell off") == .set(.bell, false))
        #expect(try ChatCommand("hello") == nil && ChatCommand("//me is a command") == nil)
    }

    @Test(arguments: ["/nothing", "/join", "/bell maybe", "/"]) func whatIsNoneIsTold(line: String) {
        #expect(throws: BadCommand.self) { try ChatCommand(line) }
    }

    @Test func everyCommandOfTheHelpIsOne() {
        for command in ChatCommand.all {
            let argument = command.argument == "on|off" ? "on" : command.argument
            #expect(throws: Never.self) { try ChatCommand("/\(command.name) \(argument)") }
        }
    }

    @Test func tabGoesThroughTheCandidates() throws {
        var field = TextField("hi @b")
        var completion = try #require(Completion(of: field, names: ["bob", "Bea", "carol"]))
        #expect(complete(&completion, &field) == true && field.text == "hi @bob ")
        #expect(complete(&completion, &field) == true && field.text == "hi @Bea ")
        #expect(complete(&completion, &field) == true && field.text == "hi @bob ")
        field.insert("x")
        #expect(complete(&completion, &field) == false && field.text == "hi @bob x")
        field.text = "/jo"
        var command = try #require(Completion(of: field, names: []))
        #expect(complete(&command, &field) == true && field.text == "/join ")
        field.text = "bo"
        var name = try #require(Completion(of: field, names: ["bob"]))
        #expect(complete(&name, &field) == true && field.text == "bob: ")
        #expect(Completion(of: TextField("xyz"), names: ["bob"]) == nil)
    }

    private func complete(_ completion: inout Completion, _ field: inout TextField) -> Bool {
        completion.complete(&field)
    }

    @Test func aFewLettersFindAConversation() {
        let seats = ["#tea", "Barbara", "bob", "Eve"].map { title in
            var seat = Seat("me", in: .note("me"), standing: .rooms, last: .now)
            seat.title = title
            return seat
        }
        var goTo = GoTo(seats)
        #expect(goTo.choice?.title == "#tea")
        goTo.line.field.text = "b"
        #expect(goTo.found.map(\.title) == ["Barbara", "bob"])
        goTo.move(by: 1)
        #expect(goTo.choice?.title == "bob")
        goTo.line.field.text = "te"
        #expect(goTo.choice?.title == "#tea")
        goTo.line.field.text = "brb"
        #expect(goTo.choice?.title == "Barbara")
        goTo.line.field.text = "xx"
        #expect(goTo.choice == nil)
    }
}
