/// Which part of a group a list shows.
///
/// A range is a window of `length` rows, `offset` rows away from the end that it is pinned to. A *fixed* range always
/// stays there, like SQL's `LIMIT` and `OFFSET`. A *flexible* one keeps the same rows while others come and go around
/// it, grows and shrinks with what happens inside, within `minLength` and `maxLength`.
public struct RangeOptions: Hashable, Sendable {
    /// The end of the group from which `offset` counts.
    public enum Pin: Int, Hashable, Sendable {
        case beginning = 0
        case end = 1
    }

    /// At which of its edges a flexible range takes in a row that is inserted exactly there.
    public struct GrowOptions: OptionSet, Hashable, Sendable {
        public let rawValue: Int

        public init(rawValue: Int) { self.rawValue = rawValue }

        /// Only rows inserted between two rows of the range join it.
        public static let inRangeOnly: GrowOptions = []
        /// A row inserted at the edge nearest to the pin joins, the usual choice.
        public static let pinSide = GrowOptions(rawValue: 1 << 0)
        /// A row inserted at the edge away from the pin joins.
        public static let nonPinSide = GrowOptions(rawValue: 1 << 1)
        public static let onBothSides: GrowOptions = [.pinSide, .nonPinSide]
    }

    /// The number of rows shown: what was asked for until the mappings know the group's count, what there is afterwards.
    public internal(set) var length: Int
    /// The number of rows between the pinned end of the group and the window.
    public internal(set) var offset: Int
    public internal(set) var pin: Pin
    public let isFixed: Bool
    private var limits: ClosedRange<Int>
    private var growth: GrowOptions

    private init(length: Int, offset: Int, pin: Pin, isFixed: Bool) {
        self.length = length
        self.offset = min(max(offset, 0), Mappings.mostRows)
        self.pin = pin
        self.isFixed = isFixed
        self.limits = isFixed ? length...length : 0...Int.max
        self.growth = .pinSide
    }
}

extension RangeOptions {
    /// A window that stays where it is; nil if `length` is not positive. A negative `offset` counts as 0.
    public static func fixed(length: Int, offset: Int, from pin: Pin) -> RangeOptions? {
        length > 0 ? RangeOptions(length: length, offset: offset, pin: pin, isFixed: true) : nil
    }

    /// A window that moves along with its rows; nil if `length` is not positive. A negative `offset` counts as 0.
    public static func flexible(length: Int, offset: Int, from pin: Pin) -> RangeOptions? {
        length > 0 ? RangeOptions(length: length, offset: offset, pin: pin, isFixed: false) : nil
    }

    public var isFlexible: Bool { !isFixed }

    /// The longest a flexible range becomes; rows are dropped from the side away from the pin. Never below `minLength`.
    /// Of a fixed range it is the length that was asked for, and cannot be set.
    public var maxLength: Int {
        get { limits.upperBound }
        set { if isFlexible { limits = minLength...max(newValue, minLength) } }
    }

    /// The length below which a flexible range takes in more rows, pin side first, as long as there are any.
    /// Never above `maxLength`. Of a fixed range it is the length that was asked for, and cannot be set.
    public var minLength: Int {
        get { limits.lowerBound }
        set { if isFlexible { limits = min(max(newValue, 0), maxLength)...maxLength } }
    }

    /// At which edges a flexible range grows; `pinSide` unless set. Without meaning for a fixed range.
    public var growOptions: GrowOptions {
        get { growth }
        set { growth = newValue.intersection(.onBothSides) }
    }

    /// The same range with another length, another offset or both.
    public func with(length: Int? = nil, offset: Int? = nil) -> RangeOptions {
        var copy = self
        copy.length = max(length ?? self.length, 0)
        copy.offset = min(max(offset ?? self.offset, 0), Mappings.mostRows)
        return copy
    }

    /// The same range as seen by one who reads the group backwards: pinned to the other end.
    public var reversed: RangeOptions {
        var copy = self
        copy.pin = pin == .beginning ? .end : .beginning
        return copy
    }
}
