import Testing

@testable import TerminalCells

@Suite struct ThemeTests {
    @Test func aPersonKeepsTheirColour() {
        var colors = PersonColors(["Bob", "Carol"], count: 24)
        let (bob, carol) = (colors.number(of: "Bob"), colors.number(of: "Carol"))
        #expect(PersonColors(["Bob", "Carol"], count: 24) == colors)
        for index in 0..<100 { _ = colors.number(of: "person \(index)") }
        #expect(colors.number(of: "Bob") == bob && colors.number(of: "Carol") == carol)
        #expect(Theme(depth: .monochrome).color(ofPerson: bob) == .terminal)
    }

    @Test(arguments: [
        (ColorDepth.palette, Theme.Background.dark, 24), (.palette, .light, 24), (.palette, .unknown, 4),
        (.sixteen, .dark, 7), (.sixteen, .light, 4), (.eight, .dark, 4), (.eight, .unknown, 4),
    ])
    func twoPeopleShareNoColourWhileOthersAreFree(depth: ColorDepth, background: Theme.Background, count: Int) {
        let theme = Theme(depth: depth, background: background)
        #expect(theme.personColorCount == count)
        var colors = PersonColors(count: count)
        let shown = (0..<count).map { theme.color(ofPerson: colors.number(of: "name\($0)")) }
        #expect(Set(shown).count == count && !shown.contains(.terminal))
        // One more shares.
        #expect(shown.contains(theme.color(ofPerson: colors.number(of: "another"))))
        // Those of a small palette are in it, and none is that of errors.
        for case .palette(let entry) in shown where depth != .palette || background == .unknown {
            #expect(entry < (depth == .eight ? 8 : 16) && theme.wrong.foreground != .palette(entry))
        }
    }

    /// The contrast ratio of WCAG for text on the background and on the selected row.
    @Test(arguments: [(Theme.Background.dark, [UInt8(16), 233, 235]), (.light, [231, 255])])
    func textCanBeReadOnTheBackgroundAndOnTheSelectedRow(background: Theme.Background, grounds: [UInt8]) {
        let theme = Theme(background: background)
        let styles =
            (0..<theme.personColorCount).map { Style(theme.color(ofPerson: $0)) } + [
                Style(theme.accent), theme.secondary, theme.wrong, theme.selectionBar(focused: true),
            ]
        for style in styles {
            let selected = theme.selected(style, focused: true)
            guard case .palette(let text) = style.foreground, case .palette(let row) = selected.background else {
                Issue.record("no colour: \(style)")
                continue
            }
            #expect(selected.foreground == style.foreground)
            for ground in grounds + [row] {
                let contrast = RGB(palette: text).contrast(with: RGB(palette: ground))
                #expect(contrast >= 4.5, "\(text) on \(ground): \(contrast)")
            }
        }
    }

    @Test func onABackgroundThatIsNotKnownTheSelectedRowIsInTheTerminalsOwnColours() {
        for depth in [ColorDepth.palette, .sixteen, .eight] {
            let theme = Theme(depth: depth, background: .unknown)
            for style in [
                Style.plain, theme.secondary, theme.wrong, Style(theme.accent), Style(theme.color(ofPerson: 1)),
            ] {
                let selected = theme.selected(style, focused: true)
                #expect(selected.foreground == .terminal && selected.background == .terminal)
                #expect(selected.attributes.contains(.bold) && !selected.attributes.contains(.dim))
                #expect(selected.attributes.contains(.reverse))
            }
            #expect(!theme.selected(theme.badge, focused: true).attributes.contains(.reverse))
        }
    }

    @Test func contrastIsThatOfTheRules() {
        let (black, white) = (RGB(red: 0, green: 0, blue: 0), RGB(red: 255, green: 255, blue: 255))
        #expect(abs(black.contrast(with: white) - 21) < 0.001)
        #expect(abs(white.contrast(with: RGB(red: 0x76, green: 0x76, blue: 0x76)) - 4.54) < 0.01)
    }

    @Test func aFadeGoesTowardsTheBackgroundAndEndsInNothing() {
        let theme = Theme()
        let levels = [0.2, 0.4, 0.6, 0.8].map { alpha -> Int in
            guard case .palette(let entry) = theme.faded(.plain, alpha: alpha)?.foreground else { return -1 }
            return RGB(palette: entry).luminance
        }
        #expect(levels == levels.sorted() && Set(levels).count == 4, "\(levels)")
        #expect(theme.faded(.plain, alpha: 0) == nil)
        #expect(theme.faded(Style(.palette(9)), alpha: 1) == Style(.palette(9)))
    }

    @Test func onALightBackgroundAFadeGetsLighter() {
        let theme = Theme(background: .light)
        guard case .palette(let faint) = theme.faded(.plain, alpha: 0.2)?.foreground,
            case .palette(let strong) = theme.faded(.plain, alpha: 0.9)?.foreground
        else {
            Issue.record("a fade without a palette colour")
            return
        }
        #expect(RGB(palette: faint).luminance > RGB(palette: strong).luminance)
    }

    @Test func withEightColoursAFadeIsDimAndATintIsBold() {
        let theme = Theme(depth: .eight)
        #expect(theme.faded(.plain, alpha: 0.5)?.attributes == .dim)
        #expect(theme.faded(.plain, alpha: 0.9)?.attributes == [])
        #expect(theme.tinted(.plain, level: 0.5).attributes == .bold)
    }

    @Test func inMonochromeNothingFades() {
        let theme = Theme(depth: .monochrome)
        #expect(theme.faded(.plain, alpha: 0.6) == .plain)
        #expect(theme.faded(.plain, alpha: 0.4) == nil)
        #expect(theme.tinted(.plain, level: 1) == .plain)
        #expect(theme.accent == .terminal)
    }
}
