import Glibc
import Testing

@testable import TerminalCells

/// A field beside a plain model, which divides its whole text into characters after each change and keeps whole texts to be taken back.
@Suite struct TextFieldModelTests {
    @Test func aFieldIsLikeAWholeTextThatIsDividedAgain() {
        for seed in 0..<600 {
            var random = SplitMix64(seed: UInt64(seed))
            var field = TextField(history: ["one", "🇩🇪\u{301}"], maxLines: 3)
            var model = Model()
            var done: [String] = []
            for _ in 0..<60 {
                done.append(change(&field, &model, &random))
                guard field.characters.map(\.bytes) == model.characters.map(\.bytes), field.cursor == model.cursor
                else {
                    Issue.record(
                        "Seed \(seed), \(done): \(field.characters), \(field.cursor), not \(model.characters), \(model.cursor)"
                    )
                    return
                }
            }
        }
    }

    /// A key costs the same in a short text and in a long one, and took a hundred times as long. Time of this thread's processor, which other work on
    /// the machine does not lengthen.
    @Test(arguments: ["x", " ", "\u{301}", "🇩", "⌫"]) func aKeyCostsTheSameInALongText(key: String) {
        func used() -> Int {
            var time = timespec()
            clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
            return time.tv_sec * 1_000_000_000 + time.tv_nsec
        }
        func time(in length: Int) -> Int {
            (0..<5).map { _ in
                var field = TextField(String(repeating: "word ", count: length / 5), maxLines: 6)
                // Whatever is copied once is.
                field.insert("x")
                let start = used()
                for _ in 0..<50 { if key == "⌫" { field.deleteBackward() } else { field.insert(key) } }
                return used() - start
            }.min() ?? 0
        }
        let (short, long) = (time(in: 60), time(in: TextField.maxCharacters - 60))
        #expect(long < short * 12, "\(short) ns in a short text, \(long) ns in a long one")
    }

    private static let texts = [
        "a", "b", "_", " ", "\n", "e", "\u{301}", "\u{200D}", "👩", "👩‍👩‍👧", "🏿", "🇩", "🇪", "🇩🇪🇫", "\u{FE0F}", "क", "\u{94D}",
        "ᄀ", "ᅡ", "ᆨ", "\r\n", "\r",
        "two words", "\u{600}", "漢字", "x\u{301}\u{302}",
    ]

    /// One random key, paste or move in both. Returns its name.
    private func change(_ field: inout TextField, _ model: inout Model, _ random: inout SplitMix64) -> String {
        let count = model.characters.count
        switch random.below(16) {
        case 0:
            field.deleteBackward()
            model.remove(max(0, model.cursor - 1)..<model.cursor)
            return "backspace"
        case 1:
            field.deleteForward()
            model.remove(model.cursor..<min(count, model.cursor + 1))
            return "delete"
        case 2:
            field.moveLeft()
            model.cursor = max(0, model.cursor - 1)
            return "left"
        case 3:
            field.moveRight()
            model.cursor = min(count, model.cursor + 1)
            return "right"
        case 4:
            field.moveToTextStart()
            model.cursor = 0
            return "start"
        case 5:
            let isUndone = field.undo()
            #expect(isUndone == model.undo())
            return "undo"
        case 6:
            let start = field.wordStart
            field.deleteWordBackward()
            model.remove(start..<model.cursor)
            return "word"
        case 7:
            // What the history shows takes the place of the text, and is no change.
            let isShown = random.below(2) == 0 ? field.historyBack() : field.historyForward()
            if isShown { (model.characters, model.cursor) = (Array(field.text), field.characters.count) }
            return "history"
        case 8:
            let start = random.below(count + 1)
            let range = start..<start + random.below(count + 1 - start)
            let text = Self.texts[random.below(Self.texts.count)]
            field.replace(range, with: text)
            model.replace(range, with: text)
            return "replace \(range) with \(text.debugDescription)"
        default:
            let text = Self.texts[random.below(Self.texts.count)]
            field.insert(text)
            model.replace(model.cursor..<model.cursor, with: text)
            return text.debugDescription
        }
    }

    private struct Model {
        var characters: [Character] = []
        var cursor = 0
        private var past: [(text: String, cursor: Int)] = []
        private var isTyping = false

        mutating func replace(_ range: Range<Int>, with text: String) {
            let inserted = text.map { $0.isNewline ? "\n" : $0 }
            let types = range.isEmpty && inserted.count == 1 && !inserted[0].isWhitespace
            if !(types && isTyping) { past.append((String(characters), cursor)) }
            isTyping = types
            set(String(characters[..<range.lowerBound]) + String(inserted), String(characters[range.upperBound...]))
        }

        mutating func remove(_ range: Range<Int>) {
            guard !range.isEmpty else { return }
            past.append((String(characters), cursor))
            isTyping = false
            set(String(characters[..<range.lowerBound]), String(characters[range.upperBound...]))
        }

        mutating func undo() -> Bool {
            guard let last = past.popLast() else { return false }
            characters = Array(last.text)
            cursor = min(last.cursor, characters.count)
            isTyping = false
            return true
        }

        /// The cursor goes to the first end of a character at or behind the end of `before`.
        private mutating func set(_ before: String, _ after: String) {
            characters = Array(before + after)
            var (rest, place) = (before.utf8.count, 0)
            while rest > 0 {
                rest -= characters[place].utf8.count
                place += 1
            }
            cursor = place
        }
    }
}

extension Character {
    /// Characters of the same look are equal; their bytes are not.
    fileprivate var bytes: [UInt8] { Array(utf8) }
}
