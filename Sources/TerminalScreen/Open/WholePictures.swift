import CNcurses
import TerminalCells

/// The kinds of pictures that a terminal is known to draw in two columns, although they have several characters, or one that the system's
/// tables lack. It is measured: terminals differ, and also those of one name by their settings.
struct WholePictures: OptionSet, Hashable, Sendable {
    let rawValue: Int

    /// Emoji that joiners make one picture.
    static let joined = WholePictures(rawValue: 1 << 0)
    static let flags = WholePictures(rawValue: 1 << 1)
    static let tones = WholePictures(rawValue: 1 << 2)
    /// A character of one column that a selector makes a picture.
    static let selected = WholePictures(rawValue: 1 << 3)
    /// Emoji of Unicode 17, of 2025.
    static let newest = WholePictures(rawValue: 1 << 4)

    /// One of each kind, in the order of the bits.
    private static let samples = ["👨‍👩‍👧‍👦", "🇩🇪", "👍🏽", "❤️", "\u{1FAEA}"]
    static let sampleCount = samples.count
    /// In the first line an answer would look like F3 with a modifier.
    static let line = 2
    /// Draws each sample, asks for the cursor's place, and erases it.
    static let question = samples.map {
        "\u{1B}[\(line);1H\($0)\u{1B}[6n\u{1B}[\(line);1H\u{1B}[2K"
    }.joined()

    init(rawValue: Int) { self.rawValue = rawValue }

    /// - Parameter columns: the cursor's columns behind the samples, counted from 1.
    init(columns: [Int]) {
        rawValue = columns.enumerated().reduce(0) { $0 | ($1.element == 3 ? 1 << $1.offset : 0) }
    }

    /// What a terminal must be able to draw to show a cluster of two columns as it is; nil for one that none does.
    @MainActor static func needed(for scalars: Character.UnicodeScalarView) -> WholePictures? {
        guard let first = scalars.first, scalars.last?.isJoiner == false else { return nil }
        var needed: WholePictures = []
        for scalar in scalars {
            if scalar.isJoiner {
                needed.insert(.joined)
            } else if scalar.isRegionalIndicator {
                needed.insert(.flags)
            } else if scalar.isSkinTone, scalars.count > 1 {
                needed.insert(.tones)
            } else if scalar.asksForPicture {
                if wcwidth(wchar_t(first.value)) == 1 { needed.insert(.selected) }
            } else if wcwidth(wchar_t(scalar.value)) < 0 {
                needed.insert(.newest)
            }
        }
        return needed.contains(.flags) && scalars.count != 2 ? nil : needed
    }
}
