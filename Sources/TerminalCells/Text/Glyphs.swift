/// The glyphs of a text, made safe on demand.
///
/// Control characters become visible (`␛` for ESC, `^[` in ASCII), tabs become spaces up to the next multiple of eight
/// (in names, which `asName` prepares, they are seen);
/// format, bidi and zero-width controls are dropped. The work is bounded: at most a few scalars are read for each
/// column of `limit`, so a cluster of ten thousand marks or a line of a megabyte costs no more than its visible part.
public struct Glyphs: Sequence, IteratorProtocol {
    /// The scalars read for each column before the rest of the text is dropped.
    static let scalarsPerColumn = 16

    let level: UnicodeLevel
    private var scalars: String.UnicodeScalarView.Iterator
    private var ahead: Unicode.Scalar?
    private var budget: Int
    private var column: Int
    /// Glyphs that were made but not returned yet, the next one last.
    private var waiting: [Glyph] = []
    /// Whether text was dropped; an ellipsis replaces it.
    public private(set) var wasCut = false

    /// - Parameters:
    ///   - column: The column of the first glyph, for tabs.
    ///   - limit: The most columns that can be visible.
    public init(_ text: String, level: UnicodeLevel = .safe, column: Int = 0, limit: Int = .max) {
        self.level = level
        self.column = column
        scalars = text.unicodeScalars.makeIterator()
        budget = limit > 1 << 40 ? .max : (Swift.max(0, limit) + 4) * Self.scalarsPerColumn
        ahead = scalars.next()
    }

    /// Returns the next glyph, or nil at the end.
    public mutating func next() -> Glyph? {
        if let glyph = waiting.popLast() { return given(glyph) }
        while let scalar = ahead {
            guard advance() else { return given(ellipsis) }
            if scalar.value >= 0x20, scalar.value < 0x7F, ahead.map({ $0.value < 0x300 }) ?? true {
                return given(Glyph(Character(scalar)))
            }
            if let glyph = loneGlyph(scalar) { return given(glyph) }
            start(with: scalar)
            if let glyph = waiting.popLast() { return given(glyph) }
        }
        return nil
    }

    /// Returns the glyph of a character of a single scalar, which is the common case beyond ASCII too: nothing that
    /// follows can belong to it.
    private func loneGlyph(_ scalar: Unicode.Scalar) -> Glyph? {
        let kind = ScalarClass(of: scalar)
        guard level != .ascii, kind == .narrow || kind == .wide, !scalar.isRegionalIndicator else { return nil }
        if let next = ahead, next.value >= 0x300 {
            let following = ScalarClass(of: next)
            guard following == .narrow || following == .wide, !next.isSkinTone else { return nil }
        }
        return Glyph(Character(scalar), width: kind == .wide ? 2 : 1)
    }

    private mutating func given(_ glyph: Glyph) -> Glyph {
        column += glyph.width
        return glyph
    }

    /// Advances to the next scalar; returns false if the budget is spent and the rest of the text is dropped.
    private mutating func advance() -> Bool {
        guard budget > 0 else {
            ahead = nil
            wasCut = true
            return false
        }
        budget -= 1
        ahead = scalars.next()
        return true
    }

    /// Makes the glyphs of the cluster that begins with a scalar (none for a hidden one).
    private mutating func start(with scalar: Unicode.Scalar) {
        switch ScalarClass(of: scalar) {
        case .control: startControl(scalar)
        case .hidden, .mark: break
        case .unknown: waiting = [replacement]
        case .narrow, .wide:
            if scalar.isRegionalIndicator {
                startFlag(scalar)
            } else {
                startCharacter(scalar)
            }
        }
    }

    private mutating func startControl(_ scalar: Unicode.Scalar) {
        if scalar == "\t" {
            waiting = Array(repeating: Glyph(" "), count: 8 - column % 8)
        } else {
            waiting = Visible.control(scalar, level: level).reversed().map { Glyph($0) }
        }
    }

    private mutating func startFlag(_ scalar: Unicode.Scalar) {
        if level != .ascii, let second = ahead, second.isRegionalIndicator, advance() {
            waiting = [glyph(of: [scalar, second], width: 2)]
        } else {
            waiting = [Glyph(Character(scalar.letterOfFlag ?? scalar))]
        }
    }

    /// Makes the glyph of a character with the marks, selectors, skin tones and joined parts that follow it.
    private mutating func startCharacter(_ first: Unicode.Scalar) {
        let isWideAlone = ScalarClass(of: first) == .wide
        var cluster = Cluster(first, keepsPictures: level == .full || isWideAlone)
        while let scalar = ahead, cluster.accept(scalar), advance() {}
        var glyphs: [Glyph]
        if level == .ascii {
            glyphs = Visible.ascii(first).map { Glyph($0) }
        } else {
            glyphs = [glyph(of: cluster.parts, width: cluster.isPicture || isWideAlone ? 2 : 1)]
        }
        if wasCut { glyphs.append(ellipsis) }
        waiting = glyphs.reversed()
    }

    private func glyph(of parts: [Unicode.Scalar], width: Int) -> Glyph {
        guard parts.count > 1 else { return Glyph(Character(parts[0]), width: width) }
        var text = String.UnicodeScalarView()
        text.append(contentsOf: parts)
        let string = String(text)
        return Glyph(string.count == 1 ? Character(string) : Character(parts[0]), width: width)
    }

    private var ellipsis: Glyph { Glyph(level == .ascii ? "~" : "…") }
    private var replacement: Glyph { Glyph(level == .ascii ? "?" : "\u{FFFD}") }
}

/// One grapheme cluster that is safe to send to a terminal, and the columns it takes.
public struct Glyph: Hashable, Sendable {
    /// The grapheme cluster, which has no control characters.
    public var character: Character
    /// 1 or 2.
    public var width: Int

    /// Creates a glyph of one column or two. The character is not checked.
    /// - Parameter width: columns.
    public init(_ character: Character, width: Int = 1) {
        self.character = character
        self.width = width
    }
}
