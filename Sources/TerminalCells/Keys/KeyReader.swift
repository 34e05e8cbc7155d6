/// Turns key strokes into actions: counts (`12j`) and sequences (`zz`).
public struct KeyReader: Hashable, Sendable {
    public enum Outcome: Hashable, Sendable {
        case action(Action, count: Int?)
        /// Part of a count or of a sequence.
        case pending
        /// Nothing is bound to it.
        case unknown
    }

    /// More digits than this are not taken in.
    static let mostDigits = 9

    public var map: KeyMap
    private var digits = ""
    private var strokes: [KeyStroke] = []
    /// Strokes that would end a longer sequence of the action just done: `gg` is `g` when `g` does it already.
    private var swallowed: [KeyStroke] = []

    public init(_ map: KeyMap) { self.map = map }

    /// What was typed of an unfinished count or sequence, to be shown.
    public var pending: String { digits + strokes.map(\.description).joined() }

    public mutating func read(_ key: Key, _ modifiers: Modifiers = []) -> Outcome {
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

    /// Forgets an unfinished count or sequence.
    public mutating func reset() {
        digits = ""
        strokes = []
        swallowed = []
    }

    private mutating func decide() -> Outcome {
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

    private mutating func finish(_ outcome: Outcome) -> Outcome {
        digits = ""
        strokes = []
        return outcome
    }

    private mutating func takeDigit(_ stroke: KeyStroke) -> Bool {
        guard case .character(let digit) = stroke.key, stroke.modifiers.isEmpty, digit.isASCII, digit.isNumber,
            !(digits.isEmpty && digit == "0"), !map.bindings.contains(where: { $0.keys.contains([stroke]) })
        else { return false }
        if digits.count < Self.mostDigits { digits.append(digit) }
        return true
    }

    /// A terminal may or may not say that Shift was held for `G`; the character says it already.
    private static func impliedShift(_ key: Key) -> Modifiers {
        if case .character = key { .shift } else { [] }
    }
}
