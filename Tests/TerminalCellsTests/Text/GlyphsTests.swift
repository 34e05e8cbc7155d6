import Testing

@testable import TerminalCells

@Suite struct GlyphsTests {
    /// As wide as the first one alone, which a screen draws where the terminal is not known to join them.
    @Test func anEmojiFamilyIsOnePicture() {
        #expect(glyphs("👨‍👩‍👧x") == ["👨‍👩‍👧2", "x1"])
        #expect(glyphs("👩🏽‍🚀👍🏿") == ["👩🏽‍🚀2", "👍🏿2"])
    }

    @Test func whatASelectorMakesWiderLosesIt() {
        #expect(glyphs("❤\u{FE0F}!") == ["❤1", "!1"])
        #expect(glyphs("🏳\u{FE0F}\u{200D}🌈!") == ["🏳1", "!1"])
    }

    @Test func aFlagIsAsWideAsItsLetters() {
        #expect(glyphs("🇩🇪🇫") == ["🇩🇪2", "F1"])
        #expect(glyphs("🇩🇪🇫", .ascii) == ["D1", "E1", "F1"])
    }

    @Test func inFullTheyAreOnePictureTwoColumnsWide() {
        #expect(glyphs("👨‍👩‍👧x", .full) == ["👨‍👩‍👧2", "x1"])
        #expect(glyphs("❤\u{FE0F}", .full) == ["❤\u{FE0F}2"])
        #expect(glyphs("🇩🇪🇫", .full) == ["🇩🇪2", "F1"])
        #expect(glyphs("👍🏿", .full) == ["👍🏿2"])
    }

    @Test func aJoinerBetweenLettersKeepsBothLetters() {
        #expect(glyphs("क\u{94D}\u{200D}ष") == ["क\u{94D}1", "ष1"])
    }

    @Test func chineseIsTwoColumnsAndHangulJamoJoin() {
        #expect(glyphs("漢a한") == ["漢2", "a1", "한2"])
        #expect(glyphs("\u{1112}\u{1161}\u{11AB}") == ["한2"])
    }

    @Test func marksStandOverTheirLetterThreeAtMost() {
        #expect(glyphs("e\u{301}x") == ["é1", "x1"])
        #expect(glyphs("e\u{301}\u{302}\u{303}\u{304}x") == ["e\u{301}\u{302}\u{303}1", "x1"])
        #expect(glyphs("\u{301}x") == ["x1"], "a mark without a letter would land on what stands to the left")
    }

    /// Emoji of 2022 to 2025: pink heart, splatter, face with bags under the eyes, distorted face.
    @Test func newEmojiAreTwoColumnsWide() {
        #expect(
            glyphs("\u{1FA77}\u{1FADF}\u{1FAE9}\u{1FAEA}")
                == ["\u{1FA77}2", "\u{1FADF}2", "\u{1FAE9}2", "\u{1FAEA}2"])
    }

    @Test func glyphsOfUnknownWidthAreReplaced() {
        #expect(glyphs("\u{E000}\u{1FAF9}\u{10FFFF}") == ["\u{FFFD}1", "\u{FFFD}1", "\u{FFFD}1"])
    }

    @Test func controlCharactersAreSeenAndDoNothing() {
        #expect(TextMeasure().safe("\u{1B}[31mred\u{7}\u{7F}\n") == "␛[31mred␇␡␊")
        #expect(TextMeasure().safe("\u{9B}2J\u{85}\r\n\r") == "␛[2J␛E␍␊␍")
        #expect(TextMeasure(.ascii).safe("\u{1B}[31m\u{7F}\u{9B}") == "^[[31m^?^[[")
    }

    /// Two names are drawn alike only if they are one.
    @Test func namesOfBlanksAreTold() {
        for level in [UnicodeLevel.safe, .full, .ascii] {
            let names = ["\n", "\r\n", "\r", "\n\r", "\t", " ", "        ", "a\tb", "a       b", "\u{1B}"]
            let drawn = names.map { TextMeasure(level).safe($0.asName) }
            #expect(Set(drawn).count == names.count, "\(drawn)")
        }
        #expect(TextMeasure(.ascii).safe("a\t".asName) == "a^I")
    }

    @Test func whatHasNoWidthOrTurnsTextIsNotSent() {
        #expect(TextMeasure().safe("a\u{200B}b\u{202E}c\u{2066}d\u{FEFF}e\u{AD}f\u{E0041}g\u{2028}h") == "abcdefgh")
    }

    @Test func aTabGoesToTheNextMultipleOfEight() {
        #expect(TextMeasure().safe("ab\tc\td") == "ab      c       d")
        #expect(TextMeasure().safe("漢字\tx") == "漢字    x")
        #expect(Array(Glyphs("\tx", column: 6)).count == 3)
    }

    @Test func asciiHasStandIns() {
        let ascii = TextMeasure(.ascii)
        #expect(ascii.safe("● ◐ ○ ▌ ✓ → …") == "* o . > v > ~")
        #expect(ascii.safe("Ærøskøbing, naïve façade, Łódź") == "AEroskobing, naive facade, Lodz")
        #expect(ascii.safe("漢字 👍 λ") == "???? ?? ?")
        #expect(ascii.width(of: "漢字") == 4)
    }

    @Test func tenThousandMarksCostNoMoreThanWhatCanBeShown() {
        let hostile = "a" + String(repeating: "\u{301}", count: 10_000) + "b"
        #expect(TextMeasure().width(of: hostile) == 2)
        var some = Glyphs(hostile, limit: 10)
        let shown = Array(IteratorSequence(some))
        #expect(shown.map(\.width) == [1, 1])
        #expect(shown.last?.character == "…")
        while some.next() != nil {}
        #expect(some.wasCut)
    }

    @Test func everyGlyphOfRandomScalarsIsHarmlessAndStaysAsItIs() {
        var random = SplitMix64(seed: 14)
        for round in 0..<3000 {
            let text = randomText(&random)
            for level in UnicodeLevel.allCases {
                let measure = TextMeasure(level)
                let safe = measure.safe(text)
                let harmful = safe.unicodeScalars.filter { isHarmful($0, level) }
                #expect(harmful.isEmpty, "round \(round), \(level): \(text.unicodeScalars.map(\.value))")
                #expect(measure.safe(safe) == safe, "round \(round), \(level): \(text.unicodeScalars.map(\.value))")
                #expect(measure.width(of: safe) == measure.width(of: text), "round \(round), \(level)")
            }
        }
    }

    private func glyphs(_ text: String, _ level: UnicodeLevel = .safe) -> [String] {
        Glyphs(text, level: level).map { "\($0.character)\($0.width)" }
    }

    private func randomText(_ random: inout SplitMix64) -> String {
        let special: [UInt32] = [
            0x200D, 0xFE0F, 0x1F3FD, 0x1F1E9, 0x1F468, 0x2764, 0x301, 0x20E3, 0x1B, 0x9B, 9, 10, 0x1100,
        ]
        var text = String.UnicodeScalarView()
        for _ in 0..<(1 + random.below(6)) {
            let limits: [Int] = [0x80, 0x300, 0x3000, 0x20000, 0x110000]
            let value =
                random.percent(40)
                ? special[random.below(special.count)] : UInt32(random.below(limits[random.below(5)]))
            if let scalar = Unicode.Scalar(value) { text.append(scalar) }
        }
        return String(text)
    }

    private func isHarmful(_ scalar: Unicode.Scalar, _ level: UnicodeLevel) -> Bool {
        if level == .ascii { return scalar.value < 0x20 || scalar.value > 0x7E }
        switch ScalarClass(of: scalar) {
        case .control, .unknown: return true
        // Inside of pictures.
        case .hidden: return !scalar.isJoiner && !scalar.asksForPicture
        case .narrow, .wide, .mark: return false
        }
    }
}
