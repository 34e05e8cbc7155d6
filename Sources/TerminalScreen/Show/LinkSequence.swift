import TerminalCells

/// OSC 8: the bytes that write cells again as links. ncurses knows no links, so they follow its part of a frame.
struct LinkSequence {
    /// The longest address that terminals take.
    private static let longestAddress = 2083

    private(set) var bytes = ""
    private let depth: ColorDepth
    private var address: String?
    private var style: Style?
    /// Where the terminal's cursor is, if known.
    private var place: (x: Int, y: Int)?

    init(depth: ColorDepth) { self.depth = depth }

    /// Adds the links of a line of a frame, and its cells that were links before.
    ///
    /// - Parameters:
    ///   - old: the addresses by column before the frame.
    ///   - new: the addresses by column.
    mutating func add(line y: Int, of grid: Grid, width: Int, from old: [Int: String], to new: [Int: String]) {
        for x in Set(old.keys).union(new.keys).sorted() where x < min(width, grid.width) {
            // ncurses reduces other characters to what the terminal draws in one place.
            let cell = grid[x, y]
            guard let ascii = cell.ascii, ascii >= 0x20, ascii < 0x7F else { continue }
            if bytes.isEmpty { bytes = "\u{1B}7" }
            if place?.x != x || place?.y != y { bytes += "\u{1B}[\(y + 1);\(x + 1)H" }
            let wanted = new[x].flatMap(Self.encoded)
            if wanted != address {
                bytes += "\u{1B}]8;\(wanted.map { "id=\(Self.name(of: $0));\($0)" } ?? ";")\u{1B}\\"
            }
            if cell.style != style { bytes += LoweredStyle(cell.style, for: depth).sequence }
            bytes.unicodeScalars.append(Unicode.Scalar(ascii))
            (address, style, place) = (wanted, cell.style, (x + 1, y))
        }
    }

    /// Ends the last link and puts the cursor and its colours back.
    mutating func finish() {
        guard !bytes.isEmpty else { return }
        if address != nil { bytes += "\u{1B}]8;;\u{1B}\\" }
        bytes += "\u{1B}8"
    }

    /// Returns an address in visible ASCII; nil if it is too long.
    static func encoded(_ address: String) -> String? {
        var encoded = ""
        for byte in address.utf8 {
            if byte > 0x20, byte < 0x7F {
                encoded.unicodeScalars.append(Unicode.Scalar(byte))
            } else {
                encoded += "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
            }
        }
        return encoded.utf8.count <= longestAddress ? encoded : nil
    }

    /// Returns a name by which the terminal knows the parts of one link on several lines.
    private static func name(of address: String) -> String {
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        for byte in address.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
        return String(hash, radix: 36)
    }
}

extension LoweredStyle {
    /// SGR: sets exactly this style.
    var sequence: String {
        var codes = ["0"]
        let codesOfAttributes: [(Attributes, String)] = [
            (.bold, "1"), (.dim, "2"), (.italic, "3"), (.underline, "4"), (.reverse, "7"),
        ]
        for (attribute, code) in codesOfAttributes where attributes.contains(attribute) { codes.append(code) }
        if colors.foreground >= 0 { codes.append("38;5;\(colors.foreground)") }
        if colors.background >= 0 { codes.append("48;5;\(colors.background)") }
        return "\u{1B}[\(codes.joined(separator: ";"))m"
    }
}

extension Screen {
    /// Returns the bytes for the links that a frame changes.
    func linkBytes(from old: Grid?, to grid: Grid) -> [UInt8] {
        guard features.hasLinks, !grid.links.isEmpty || old?.links.isEmpty == false else { return [] }
        var sequence = LinkSequence(depth: encoder.colors)
        let lines = Set(grid.links.map(\.y)).union(old?.links.map(\.y) ?? [])
        for y in lines.sorted() where y < min(grid.height, size.height) {
            let before = old.flatMap { $0.width == grid.width && y < $0.height ? $0.addresses(ofLine: y) : nil } ?? [:]
            let after = grid.addresses(ofLine: y) ?? [:]
            let range = y * grid.width..<(y + 1) * grid.width
            if before == after, let old, old.width == grid.width, old.height == grid.height,
                old.cells[range] == grid.cells[range]
            {
                continue
            }
            sequence.add(line: y, of: grid, width: size.width, from: before, to: after)
        }
        sequence.finish()
        return Array(sequence.bytes.utf8)
    }
}
