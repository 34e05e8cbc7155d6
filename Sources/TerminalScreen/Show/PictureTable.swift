import CNcurses
import TerminalCells

/// Clusters that are written whole. A cell of ncurses has too few characters for most of them, and measures them by the first one: it gets
/// a blank of two columns with two marks that no text has, and the frame the cluster in their place.
struct PictureTable {
    private static let (blank, firstMark, marks) = (wchar_t(0x3000), 0xE0100, 240)
    /// The most clusters; further ones are reduced.
    private static let limit = 4_096
    private var numbers: [String: Int] = [:]
    private var texts: [[UInt8]] = []

    /// Makes a cell stand for a cluster. Returns false if there are too many.
    mutating func set(_ cell: inout cchar_t, to text: String) -> Bool {
        let number = numbers[text] ?? texts.count
        if number == texts.count {
            guard number < Self.limit else { return false }
            numbers[text] = number
            texts.append(Array(text.utf8))
        }
        yap_set_character(&cell, Self.blank)
        yap_add_mark(&cell, wchar_t(Self.firstMark + number / Self.marks), 1)
        yap_add_mark(&cell, wchar_t(Self.firstMark + number % Self.marks), 2)
        return true
    }

    /// Writes the clusters into a frame.
    func restore(_ frame: inout [UInt8]) {
        guard !texts.isEmpty else { return }
        var restored: [UInt8] = []
        var start = 0
        var index = 0
        while index + 11 <= frame.count {
            guard frame[index] == 0xE3, let text = text(in: frame[index..<index + 11]) else {
                index += 1
                continue
            }
            restored += frame[start..<index]
            restored += text
            index += 11
            start = index
        }
        if start > 0 { frame = restored + frame[start...] }
    }

    private func text(in bytes: ArraySlice<UInt8>) -> [UInt8]? {
        let scalars = Array(String(decoding: bytes, as: UTF8.self).unicodeScalars)
        guard scalars.count == 3, scalars[0].value == UInt32(Self.blank) else { return nil }
        let digits = scalars.dropFirst().map { Int($0.value) - Self.firstMark }
        guard digits.allSatisfy((0..<Self.marks).contains) else { return nil }
        let number = digits[0] * Self.marks + digits[1]
        return number < texts.count ? texts[number] : nil
    }
}
