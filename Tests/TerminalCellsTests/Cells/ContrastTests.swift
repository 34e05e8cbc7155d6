import Testing

@testable import TerminalCells

/// Text of every person and of every kind on every background.
@Suite struct ContrastTests {
    /// Backgrounds from black to white, in all colours.
    private static let grounds = (0..<1000).map { number in
        RGB(red: number / 100 * 255 / 9, green: number / 10 % 10 * 255 / 9, blue: number % 10 * 255 / 9)
    }

    @Test func namesAndMarksCanBeReadOnEveryBackgroundThatTheTerminalReports() {
        let count = Theme(background: .dark).personColorCount
        var people = PersonColors(count: count)
        let numbers = Set((0..<500).map { people.number(of: "person \($0)") })
        #expect(numbers.count == count)
        var known = 0
        for ground in Self.grounds {
            let theme = Theme(background: Theme.Background(ground))
            let styles =
                numbers.map { Style(theme.color(ofPerson: $0)) } + [
                    theme.link, theme.code, theme.mention, theme.ownMention, theme.secondary, theme.wrong,
                ]
            if theme.background == .unknown {
                // No colours of ours: those that the user chose for this background.
                #expect(numbers.allSatisfy { Self.isBasic(theme.color(ofPerson: $0)) })
                continue
            }
            known += 1
            for style in styles {
                guard case .palette(let entry) = style.foreground else {
                    Issue.record("no colour: \(style)")
                    continue
                }
                let contrast = RGB(palette: entry).contrast(with: ground)
                if contrast < 4.5 { Issue.record("\(entry) on \(ground): \(contrast)") }
            }
        }
        #expect(known > 50, "dark and light ones among them")
    }

    private static func isBasic(_ color: Color) -> Bool { if case .palette(..<16) = color { true } else { false } }

    @Test func withoutColoursMarksDifferByAttributes() {
        for theme in [Theme(depth: .monochrome), Theme(background: .unknown)] {
            let styles = [theme.link, theme.code, theme.mention, theme.ownMention]
            #expect(styles.allSatisfy { !$0.attributes.isEmpty || $0.foreground != .terminal })
            #expect(theme.ownMention.attributes != theme.mention.attributes)
        }
    }
}
