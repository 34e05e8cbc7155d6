import ListChanges

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
///
/// A class, because programs of the original set the properties of a `let`. It has the properties of its
/// ``RangeOptions`` under the same names.
@dynamicMemberLookup
public final class YapDatabaseViewRangeOptions {
    /// The range as a value.
    public private(set) var value: RangeOptions

    /// Creates options with the properties of a range.
    ///
    /// ```swift
    /// guard let range = RangeOptions.fixed(length: 50, offset: 0, from: .end) else { return }
    /// mappings.setRangeOptions(YapDatabaseViewRangeOptions(range), forGroup: "messages")
    /// ```
    public init(_ value: RangeOptions) { self.value = value }

    /// Creates a fixed range.
    ///
    /// Example: ``flexibleRange(withLength:offset:from:)``.
    ///
    /// - Parameters:
    ///   - length: the number of rows.
    ///   - offset: the rows between that end and the range.
    ///   - pin: the end of the group from which `offset` counts.
    /// - Precondition: `length` is at least 1 and `offset` is not negative.
    public static func fixedRange(
        withLength length: Int, offset: Int, from pin: RangeOptions.Pin
    ) -> YapDatabaseViewRangeOptions {
        make(length, offset, RangeOptions.fixed(length: length, offset: offset, from: pin))
    }

    /// Creates a flexible range.
    ///
    /// ```swift
    /// let range = YapDatabaseViewRangeOptions.flexibleRange(withLength: 50, offset: 0, from: .end)
    /// range.maxLength = 300
    /// print(range.length, range.copy(withNewLength: 100).length)   // 50 100
    /// ```
    ///
    /// - Parameters:
    ///   - length: the number of rows at first.
    ///   - offset: the rows between that end and the range.
    ///   - pin: the end of the group from which `offset` counts.
    /// - Precondition: `length` is at least 1 and `offset` is not negative.
    public static func flexibleRange(
        withLength length: Int, offset: Int, from pin: RangeOptions.Pin
    ) -> YapDatabaseViewRangeOptions {
        make(length, offset, RangeOptions.flexible(length: length, offset: offset, from: pin))
    }

    private static func make(_ length: Int, _ offset: Int, _ value: RangeOptions?) -> YapDatabaseViewRangeOptions {
        guard let value else {
            fatalError("A range shows at least one row from an offset of at least 0, not \(length) from \(offset).")
        }
        return YapDatabaseViewRangeOptions(value)
    }

    /// A property of the range, such as `length` and `offset`.
    ///
    /// Example: ``flexibleRange(withLength:offset:from:)``.
    public subscript<T>(dynamicMember member: KeyPath<RangeOptions, T>) -> T { value[keyPath: member] }

    /// A property of the range that can be set, such as `maxLength` and `growOptions`.
    ///
    /// Example: ``flexibleRange(withLength:offset:from:)``.
    public subscript<T>(dynamicMember member: WritableKeyPath<RangeOptions, T>) -> T {
        get { value[keyPath: member] }
        set { value[keyPath: member] = newValue }
    }

    /// Returns the range with another length.
    ///
    /// Example: ``flexibleRange(withLength:offset:from:)``.
    public func copy(withNewLength length: Int) -> YapDatabaseViewRangeOptions {
        YapDatabaseViewRangeOptions(value.with(length: length))
    }

    /// Returns the range with another distance from its pin.
    ///
    /// Example: ``flexibleRange(withLength:offset:from:)``.
    public func copy(withNewOffset offset: Int) -> YapDatabaseViewRangeOptions {
        YapDatabaseViewRangeOptions(value.with(offset: offset))
    }

    /// Returns the range with another length and another distance from its pin.
    ///
    /// Example: ``flexibleRange(withLength:offset:from:)``.
    ///
    /// - Parameters:
    ///   - length: the number of rows.
    ///   - offset: the rows between the pin and the range.
    public func copy(withNewLength length: Int, newOffset offset: Int) -> YapDatabaseViewRangeOptions {
        YapDatabaseViewRangeOptions(value.with(length: length, offset: offset))
    }
}
