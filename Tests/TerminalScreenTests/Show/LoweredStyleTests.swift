import TerminalCells
import Testing

@testable import TerminalScreen

@Suite struct LoweredStyleTests {
    @Test func thePaletteStaysAsItIs() {
        let style = LoweredStyle(Style(.palette(203), on: .palette(236), [.bold, .italic]), for: .palette)
        #expect(style.colors == ColorPair(foreground: 203, background: 236))
        #expect(style.attributes == [.bold, .italic])
    }

    @Test func monochromeHasOnlyAttributes() {
        let style = LoweredStyle(Style(.palette(203), on: .palette(236), [.bold, .reverse]), for: .monochrome)
        #expect(style.colors == .terminal)
        #expect(style.attributes == [.bold, .reverse])
    }

    @Test func greysAreDimAndNeverTheBackground() {
        #expect(lowered(.palette(240), .eight) == "-1 on -1 dim")
        #expect(lowered(.palette(252), .eight) == "-1 on -1")
        #expect(lowered(.terminal, on: .palette(236), .eight) == "-1 on -1")
    }

    @Test func colorsGoToTheNearestOfEight() {
        #expect(lowered(.palette(160), .eight) == "1 on -1")
        #expect(lowered(.palette(203), .eight) == "1 on -1")
        #expect(lowered(.palette(34), .eight) == "2 on -1")
        #expect(lowered(.palette(21), .eight) == "4 on -1")
        #expect(lowered(.palette(6), .eight) == "6 on -1")
    }

    @Test func brightColorsAreBoldWhereThereAreEight() {
        #expect(lowered(.palette(9), .eight) == "1 on -1 bold")
        #expect(lowered(.terminal, on: .palette(12), .eight) == "-1 on 4")
        #expect(lowered(.palette(9), .sixteen) == "9 on -1")
    }

    @Test(arguments: [ColorDepth.eight, .sixteen]) func textNeverVanishes(depth: ColorDepth) {
        for foreground in UInt8.min...UInt8.max {
            for background in UInt8.min...UInt8.max where foreground != background {
                let style = Style(.palette(foreground), on: .palette(background))
                let colors = LoweredStyle(style, for: depth).colors
                #expect(
                    colors.foreground != colors.background || colors.foreground == -1, "\(foreground) on \(background)")
            }
        }
    }

    private func lowered(_ color: Color, on background: Color = .terminal, _ depth: ColorDepth) -> String {
        let style = LoweredStyle(Style(color, on: background), for: depth)
        let attributes =
            (style.attributes.contains(.dim) ? " dim" : "") + (style.attributes.contains(.bold) ? " bold" : "")
        return "\(style.colors.foreground) on \(style.colors.background)\(attributes)"
    }
}
