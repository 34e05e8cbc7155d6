import ListChanges

public typealias YapDatabaseViewPin = RangeOptions.Pin
public typealias YapDatabaseViewGrowOptions = RangeOptions.GrowOptions

/// The part of a group that a list shows: a number of rows at a distance from its beginning or end.
///
/// A *fixed* range is SQL's LIMIT and OFFSET. A *flexible* range keeps its rows: it grows and shrinks with them,
/// between `minLength` and `maxLength`, while rows outside come and go.
///
/// ```swift
/// let newest = YapDatabaseViewRangeOptions.flexibleRange(withLength: 50, offset: 0, from: .end)
/// newest.maxLength = 300
/// newest.minLength = 20
/// mappings.setRangeOptions(newest, forGroup: conversation)
/// ```
///
/// Mappings copy the options when they are set; later changes of the options do not reach them.
public final class YapDatabaseViewRangeOptions {
    public internal(set) var value: RangeOptions

    public init(_ value: RangeOptions) { self.value = value }

    /// Creates a fixed range.
    ///
    /// - Precondition: `length` is at least 1 and `offset` is not negative.
    public static func fixedRange(
        withLength length: Int, offset: Int, from pin: YapDatabaseViewPin
    ) -> YapDatabaseViewRangeOptions {
        guard let value = RangeOptions.fixed(length: length, offset: offset, from: pin) else { refuse(length, offset) }
        return YapDatabaseViewRangeOptions(value)
    }

    /// Creates a flexible range.
    ///
    /// - Precondition: `length` is at least 1 and `offset` is not negative.
    public static func flexibleRange(
        withLength length: Int, offset: Int, from pin: YapDatabaseViewPin
    ) -> YapDatabaseViewRangeOptions {
        guard let value = RangeOptions.flexible(length: length, offset: offset, from: pin) else {
            refuse(length, offset)
        }
        return YapDatabaseViewRangeOptions(value)
    }

    private static func refuse(_ length: Int, _ offset: Int) -> Never {
        fatalError(
            "A range shows at least one row from an offset of at least 0, not \(length) from \(offset).")
    }

    public var length: Int { value.length }
    public var offset: Int { value.offset }
    public var pin: YapDatabaseViewPin { value.pin }
    public var isFixedRange: Bool { value.isFixed }
    public var isFlexibleRange: Bool { value.isFlexible }

    /// The length to which a flexible range grows at most. For a fixed range, its length.
    public var maxLength: Int {
        get { value.maxLength }
        set { value.maxLength = newValue }
    }

    /// The length that a flexible range keeps as long as the group has enough rows.
    public var minLength: Int {
        get { value.minLength }
        set { value.minLength = newValue }
    }

    /// The edges at which a row inserted exactly there joins a flexible range.
    public var growOptions: YapDatabaseViewGrowOptions {
        get { value.growOptions }
        set { value.growOptions = newValue }
    }

    public func copy(withNewLength length: Int) -> YapDatabaseViewRangeOptions {
        YapDatabaseViewRangeOptions(value.with(length: length))
    }

    public func copy(withNewOffset offset: Int) -> YapDatabaseViewRangeOptions {
        YapDatabaseViewRangeOptions(value.with(offset: offset))
    }

    public func copy(withNewLength length: Int, newOffset offset: Int) -> YapDatabaseViewRangeOptions {
        YapDatabaseViewRangeOptions(value.with(length: length, offset: offset))
    }
}
