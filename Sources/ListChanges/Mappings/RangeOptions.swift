/// The part of a group that a list shows.
///
/// A range is a window of `length` rows, `offset` rows away from the end that it is pinned to. A *fixed* range always
/// stays there, like SQL's `LIMIT` and `OFFSET`. A *flexible* range keeps the same rows while others come and go around
/// it; it grows and shrinks with changes inside, between `minLength` and `maxLength`.
public struct RangeOptions: Hashable, Sendable {
    /// The end of the group from which `offset` counts.
    public enum Pin: Int, Hashable, Sendable {
        /// The first row of the group, in screen order.
        case beginning = 0
        /// The last row of the group, in screen order.
        case end = 1
    }

    /// The edges at which a row inserted exactly there joins a flexible range.
    public struct GrowOptions: OptionSet, Hashable, Sendable {
        public let rawValue: Int

        public init(rawValue: Int) { self.rawValue = rawValue }

        /// Only rows inserted between two rows of the range join it.
        public static let inRangeOnly: GrowOptions = []
        /// A row inserted at the edge nearest to the pin joins: the usual choice.
        public static let pinSide = GrowOptions(rawValue: 1 << 0)
        /// A row inserted at the edge away from the pin joins.
        public static let nonPinSide = GrowOptions(rawValue: 1 << 1)
        /// A row inserted at either edge joins.
        public static let onBothSides: GrowOptions = [.pinSide, .nonPinSide]
    }

    /// The number of rows shown: the requested number until the mappings know the group's count, afterwards the actual
    /// one.
    public internal(set) var length: Int
    /// The number of rows between the pinned end of the group and the window.
    public internal(set) var offset: Int
    /// The end of the group from which `offset` counts.
    public internal(set) var pin: Pin
    /// Whether the window stays where it is while rows come and go.
    public let isFixedRange: Bool
    private var limits: ClosedRange<Int>
    private var growth: GrowOptions

    private init(length: Int, offset: Int, pin: Pin, isFixedRange: Bool) {
        self.length = length
        self.offset = min(max(offset, 0), Mappings.maxRows)
        self.pin = pin
        self.isFixedRange = isFixedRange
        self.limits = isFixedRange ? length...length : 0...Int.max
        self.growth = .pinSide
    }
}

extension RangeOptions {
    /// Creates a window that stays where it is; nil if `length` is not positive. A negative `offset` counts as 0.
    /// - Parameters:
    ///   - length: the number of rows of the window.
    ///   - offset: the rows between that end and the window.
    ///   - pin: the end of the group from which `offset` counts.
    public static func fixed(length: Int, offset: Int, from pin: Pin) -> RangeOptions? {
        length > 0 ? RangeOptions(length: length, offset: offset, pin: pin, isFixedRange: true) : nil
    }

    /// Creates a window that moves along with its rows; nil if `length` is not positive. A negative `offset` counts as
    /// 0.
    ///
    /// - Parameters:
    ///   - length: the number of rows of the window.
    ///   - offset: the rows between that end and the window.
    ///   - pin: the end of the group from which `offset` counts.
    public static func flexible(length: Int, offset: Int, from pin: Pin) -> RangeOptions? {
        length > 0 ? RangeOptions(length: length, offset: offset, pin: pin, isFixedRange: false) : nil
    }

    /// Whether the window moves along with its rows.
    public var isFlexibleRange: Bool { !isFixedRange }

    /// The greatest length of a flexible range; rows are dropped from the side away from the pin. Never below
    /// `minLength`. A greater `length` is cut to it. For a fixed range it is the requested length and cannot be set.
    public var maxLength: Int {
        get { limits.upperBound }
        set {
            guard isFlexibleRange else { return }
            limits = minLength...max(newValue, minLength)
            length = min(length, maxLength)
        }
    }

    /// The length below which a flexible range adds rows, pin side first, as long as there are any. Never above
    /// `maxLength`. A lesser `length` is raised to it. For a fixed range it is the requested length and cannot be set.
    public var minLength: Int {
        get { limits.lowerBound }
        set {
            guard isFlexibleRange else { return }
            limits = min(max(newValue, 0), maxLength)...maxLength
            length = max(length, minLength)
        }
    }

    /// The edges at which a flexible range grows; `pinSide` unless set. Without effect on a fixed range.
    public var growOptions: GrowOptions {
        get { growth }
        set { growth = newValue.intersection(.onBothSides) }
    }

    /// Returns the range with another length, another offset or both.
    /// - Parameters:
    ///   - length: the new length; nil to keep it.
    ///   - offset: the new offset; nil to keep it.
    public func with(length: Int? = nil, offset: Int? = nil) -> RangeOptions {
        var copy = self
        copy.length = max(length ?? self.length, 0)
        copy.offset = min(max(offset ?? self.offset, 0), Mappings.maxRows)
        return copy
    }

    /// The range with a length that its limits allow, which a request must have; the present length may be less, where there are fewer rows.
    var withinLimits: RangeOptions { with(length: min(max(length, minLength), maxLength)) }

    /// The same range of the reversed group: pinned to the other end.
    public var reversed: RangeOptions {
        var copy = self
        copy.pin = pin == .beginning ? .end : .beginning
        return copy
    }
}
