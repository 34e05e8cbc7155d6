/// Turns key strokes into actions: counts (`12j`) and sequences (`zz`).
public struct KeyReader: Hashable, Sendable {
    /// What a key came to.
    public enum Reading: Hashable, Sendable {
        /// The keys so far mean this action, with the number typed before it, if any.
        case action(Action, count: Int?)
        /// A part of a count or of a sequence.
        case pending
        /// No action is bound to it.
        case unknown
    }

    /// The most digits of a count; further ones are ignored.
    static let maxDigits = 9

    /// The bindings that are applied.
    public var map: KeyMap
    private var digits = ""
    private var strokes: [KeyStroke] = []
    /// Strokes that would complete a longer sequence of the action just triggered: with `g` and `gg` bound to it, the
    /// second `g` is swallowed.
    private var swallowed: [KeyStroke] = []

    /// Creates a reader without an unfinished count or sequence.
    public init(_ map: KeyMap) { self.map = map }

    /// The unfinished count or sequence, for display.
    public var pending: String { digits + strokes.map(\.description).joined() }

    /// Reads one key and returns what it means together with the keys read before it.
    /// - Parameters:
    ///   - key: the key.
    ///   - modifiers: the keys that are held with it.
    public mutating func read(_ key: Key, _ modifiers: Modifiers = []) -> Reading {
        let stroke = KeyStroke(key, modifiers.subtracting(Self.impliedShift(key)))
        if swallowed.first == stroke {
            swallowed.removeFirst()
            return .pending
        }
        swallowed = []
        if strokes.isEmpty, takeDigit(stroke) { return .pending }
        strokes.append(stroke)
        return decide()
    }

    /// Discards an unfinished count or sequence.
    public mutating func reset() {
        digits = ""
        strokes = []
        swallowed = []
    }

    private mutating func decide() -> Reading {
        let longer = map.bindings.flatMap { binding in
            binding.keys.filter { $0.count > strokes.count && $0.starts(with: strokes) }.map { (binding.action, $0) }
        }
        if let action = map.bindings.first(where: { $0.keys.contains(strokes) })?.action {
            if let same = longer.first(where: { $0.0 == action }), longer.allSatisfy({ $0.0 == action }) {
                swallowed = Array(same.1.dropFirst(strokes.count))
                return finish(.action(action, count: Int(digits)))
            }
            if longer.isEmpty { return finish(.action(action, count: Int(digits))) }
        }
        return longer.isEmpty ? finish(.unknown) : .pending
    }

    private mutating func finish(_ outcome: Reading) -> Reading {
        digits = ""
        strokes = []
        return outcome
    }

    private mutating func takeDigit(_ stroke: KeyStroke) -> Bool {
        guard case .character(let digit) = stroke.key, stroke.modifiers.isEmpty, digit.isASCII, digit.isNumber,
            !(digits.isEmpty && digit == "0"), !map.bindings.contains(where: { $0.keys.contains([stroke]) })
        else { return false }
        if digits.count < Self.maxDigits { digits.append(digit) }
        return true
    }

    /// Returns Shift for characters that imply it: a terminal may or may not report it for `G`.
    private static func impliedShift(_ key: Key) -> Modifiers {
        if case .character = key { .shift } else { [] }
    }
}

extension KeyMap {
    /// Returns the action of an event that is a single key; nil for the beginning of a count or of a sequence.
    public func action(of event: InputEvent) -> Action? {
        var reader = KeyReader(self)
        guard case .key(let key, let modifiers) = event, case .action(let action, _) = reader.read(key, modifiers)
        else { return nil }
        return action
    }
}
