import Foundation
import LiveTable
import Testing

@testable import ChatRoster

/// The cells of messages, of the roster and of matches.
@Suite struct CellTests {
    private let date = Date(timeIntervalSince1970: 1_000_000)
    private let pair = Conversation("I", "Bob")

    private func message(_ text: String = "Hello", by author: String = "I", after seconds: Double = 0) -> Message {
        Message(text, in: pair, by: author, id: "\(text)-\(author)", date: date.addingTimeInterval(seconds))
    }

    private func lines(_ message: Message, after previous: Message?, _ facts: Facts = Facts(me: "I"), width: Int = 60)
        -> [String]
    {
        MessageCell(theme: Theme(), facts: facts, now: date.addingTimeInterval(172_800)).cell(
            message, after: previous, beginning: nil, width: width
        ).lines
            .map { $0.text.trimmed }
    }

    @Test func anOwnMessageHasOneTickAndTwoOnceAllHaveReadIt() {
        let (first, own) = (message("Hi", by: "Bob"), message(after: 1))
        let facts = Facts(me: "I")
        #expect(lines(own, after: first, facts).last == "▎ Hello ✓")
        facts.readByAll = own.position
        var edited = own
        edited.edited = date
        #expect(lines(edited, after: first, facts).last == "▎ Hello (edited) ✓✓")
        #expect(lines(message(by: "Bob", after: 1), after: own, facts).last == "Hello")
    }

    @Test func nameAndTimeStandAtTheHeadOfARun() {
        let first = message("one", by: "Bob")
        let time = ChatDates.time.string(from: date.addingTimeInterval(1))
        #expect(lines(message("two", by: "Bob", after: 1), after: first) == ["two"])
        #expect(lines(message("two", by: "Eve", after: 1), after: first) == ["", "Eve  \(time)", "two"])
        #expect(lines(message("two", by: "Bob", after: 600), after: first).count == 3)
        #expect(lines(message("two", by: "Bob", after: 86400), after: first).count == 4)
    }

    /// The second one is tmux, where it asks no terminal what its background is.
    @Test(arguments: [
        Theme(depth: .sixteen), Theme(depth: .eight, background: .unknown),
        Theme(depth: .palette, background: .unknown),
    ])
    func speakersHaveColoursAlsoWhereThereAreFew(theme: Theme) {
        let cell = MessageCell(theme: theme, facts: Facts(me: "I"), now: date)
        let heads = ["I", "Bob", "Carol", "Dan"].map { name in
            let lines = cell.cell(message(by: name), after: nil, beginning: nil, width: 60).lines
            return lines.lazy.flatMap(\.self).first { $0.text == name }?.style.foreground
        }
        #expect(Set(heads).count == 4 && !heads.contains(.terminal) && !heads.contains(nil), "\(heads)")
    }

    @Test func theYearStandsWhereItIsNotThisOne() {
        #expect(ChatDates.heading(date, now: date).hasSuffix("January"))
        #expect(ChatDates.heading(date, now: Date()).hasSuffix("1970"))
        #expect(ChatDates.short(date, now: Date()).hasSuffix("1970"))
    }

    @Test func theLineNewStandsAboveTheFirstUnreadOne() {
        let facts = Facts(me: "I")
        facts.firstUnread = "two-Bob"
        let row = MessageCell(theme: Theme(), facts: facts, now: date).cell(
            message("two", by: "Bob", after: 1), after: message("one", by: "Bob"), beginning: nil, width: 21)
        #expect(row.lines[0].text == " ─────── new ───────" && row.decorations == 1)
    }

    @Test func noLineIsLongerThanIsReadable() {
        let text = String(repeating: "word ", count: 100)
        for width in [10, 20, 40, 80, 200] {
            for line in lines(message(text), after: nil, width: width) {
                #expect(TextMeasure().width(of: line) <= min(width, MessageCell.measure + 2))
            }
        }
    }

    @Test func aVeryLongMessageIsFoldedAndOpened() {
        let facts = Facts(me: "I")
        let long = message(String(repeating: "line\n", count: 50) + "end", by: "Bob")
        let folded = lines(long, after: nil, facts)
        #expect(folded.count < 20 && folded.last?.contains("more") == true)
        facts.unfolded = [long.id]
        #expect(lines(long, after: nil, facts).contains("end"))
    }

    @Test func whatWasDeletedSaysSo() {
        var gone = message(by: "Bob")
        gone.text = ""
        gone.unseenDeletion = ["I"]
        #expect(lines(gone, after: nil).last == "deleted")
    }

    @Test func theWordThatWasSearchedIsMarkedInItsLine() {
        let facts = Facts(me: "I")
        facts.searched = ["nEEdle"]
        let text = String(repeating: "hay ", count: 50) + "needle " + String(repeating: "hay ", count: 50)
        let line = FoundCell(theme: Theme(), facts: facts).snippet(text, width: 40)
        #expect(line.first { $0.style == Theme().match }?.text == "needle")
        #expect(TextMeasure().width(of: line.text) <= 40)
    }

    @Test func aSnippetFillsItsLine() {
        let facts = Facts(me: "I")
        facts.searched = ["needle"]
        let cell = FoundCell(theme: Theme(), facts: facts)
        #expect(cell.snippet("a long way to the needle", width: 24).text == "a long way to the needle")
        #expect(cell.snippet("It is a long way to the needle", width: 24).text == "… long way to the needle")
        #expect(cell.snippet("日本語日本語 needle", width: 12).text == "…本語 needle")
    }

    @Test func aMatchSaysWhoSaidItWhere() {
        func head(_ conversation: Conversation, _ author: String) -> String {
            let message = Message("x", in: conversation, by: author, date: date)
            let cell = FoundCell(theme: Theme(), facts: Facts(me: "I"), now: date).cell(message, width: 60)
            return cell.lines[0].text
        }
        let time = ChatDates.short(date, now: date)
        #expect(head(pair, "Bob") == "Bob to you  \(time)" && head(pair, "I") == "I to Bob  \(time)")
        #expect(head(.room("tea"), "Bob") == "Bob in #tea  \(time)" && head(.note("I"), "I") == "I in a note  \(time)")
    }

    @Test func aRowShowsWhatIsUnread() {
        var row = RosterRow(seat: Seat("I", in: pair, opened: date), other: Person(name: "Bob", standing: .available))
        row.unread = 3
        let cell = RosterCell(theme: Theme(), facts: Facts(me: "I"), now: date)
        #expect(cell.cell(row, width: 20).lines[0].text == "● Bob             3 ")
        row.mentions = 1
        #expect(cell.cell(row, width: 20).lines[0].text.hasSuffix(" @3 "))
        row.other = Person(name: "Bob", standing: .away, away: "tea")
        #expect(cell.cell(row, width: 20).lines.map(\.text).last == "   tea")
    }
}
