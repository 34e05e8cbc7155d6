import ListChanges

public typealias YapDatabaseViewPin = RangeOptions.Pin
public typealias YapDatabaseViewGrowOptions = RangeOptions.GrowOptions

/// Which part of a group a list shows: so many rows, so far from its beginning or its end.
///
/// A *fixed* range is SQL's LIMIT and OFFSET. A *flexible* range keeps to its rows: it grows and shrinks with them,
/// between `minLength` and `maxLength`, while rows outside of it come and go.
///
/// ```swift
/// let newest = YapDatabaseViewRangeOptions.flexibleRange(withLength: 50, offset: 0, from: .end)
/// newest.maxLength = 300
/// newest.minLength = 20
/// mappings.setRangeOptions(newest, forGroup: conversation)
/// ```
///
/// Mappings copy the options when they are set; changing them afterwards changes nothing there.
public final class YapDatabaseViewRangeOptions {
    public internal(set) var value: RangeOptions

    public init(_ value: RangeOptions) { self.value = value }

    /// - Precondition: `length` is at least 1 and `offset` is not negative.
    public static func fixedRange(
        withLength length: Int, offset: Int, from pin: YapDatabaseViewPin
    ) -> YapDatabaseViewRangeOptions {
        guard let value = RangeOptions.fixed(length: length, offset: offset, from: pin) else { refuse(length, offset) }
        return YapDatabaseViewRangeOptions(value)
    }

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

    /// The most rows that a flexible range grows to. A fixed range's is the length that was asked for.
    public var maxLength: Int {
        get { value.maxLength }
        set { value.maxLength = newValue }
    }

    /// The rows that a flexible range keeps showing as long as the group has them.
    public var minLength: Int {
        get { value.minLength }
        set { value.minLength = newValue }
    }

    /// At which edges a row that is inserted exactly there joins a flexible range.
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
