import Foundation
import Testing

@testable import TableModel

@Suite struct ThemeTests {
    @Test func aPersonKeepsTheirColour() {
        let theme = Theme()
        #expect(theme.color(ofPerson: "Bob") == .palette(92))
        #expect(theme.color(ofPerson: "Carol") == theme.color(ofPerson: "Carol"))
        #expect(Theme(depth: .monochrome).color(ofPerson: "Bob") == .terminal)
    }

    @Test func personsColoursAreReadableOnDarkAndOnLight() {
        for index in 0..<500 {
            guard case .palette(let entry) = Theme().color(ofPerson: "person \(index)") else {
                Issue.record("no colour for person \(index)")
                continue
            }
            let contrast = (black: Self.contrast(entry, 0), white: Self.contrast(entry, 1))
            #expect(contrast.black >= 3 && contrast.white >= 3, "\(entry): \(contrast)")
        }
    }

    @Test func personsColoursAreSpread() {
        let colors = Set((0..<200).map { Theme().color(ofPerson: "name\($0)") })
        #expect(colors.count > 20)
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

    /// The contrast ratio of WCAG between a palette entry and a grey from 0 (black) to 1 (white).
    private static func contrast(_ entry: UInt8, _ grey: Double) -> Double {
        func linear(_ value: Int) -> Double {
            let part = Double(value) / 255
            return part <= 0.04045 ? part / 12.92 : pow((part + 0.055) / 1.055, 2.4)
        }
        let color = RGB(palette: entry)
        let luminance = 0.2126 * linear(color.red) + 0.7152 * linear(color.green) + 0.0722 * linear(color.blue)
        return (max(luminance, grey) + 0.05) / (min(luminance, grey) + 0.05)
    }
}
