import ByteCoders
import Foundation
import ListChanges

extension YapList where Key == String, Metadata == Never {
    /// A list with one row for each group of another list: an inbox, albums, customers by turnover.
    ///
    /// ```swift
    /// let inbox = YapList("inbox", groupsOf: rooms, figures: [unread], sortedBy: .descending(last: \.date))
    /// try await database.register(rooms, inbox)
    /// for try await update in connection.updates(of: inbox, .first(50)) { print(update.rows.map(\.name)) }
    /// ```
    ///
    /// Whatever takes a list takes it. The figures follow in the transaction that changes the rows. A commit costs, for each group that it
    /// changes, one small row beside the rows that it writes, however many rows the group has.
    ///
    /// - Parameters:
    ///   - name: the name of the list, unique in the file.
    ///   - list: the list whose groups have rows. It is registered before this one or together with it. It must be stored: a list that is only in
    ///     memory, such as the results of a search, stops the program.
    ///   - figures: ``YapFigure``s, to be read from the rows.
    ///   - ends: whether a group's first and last row are read with it, so that it can be sorted by them.
    ///   - orders: the first one decides, where rows are equal the next one, and so on: by a property of ``YapGroupRow``, a figure, the first or the
    ///     last row.
    ///   - condition: which groups are in the list; nil for all. A closure in it runs on any thread.
    ///   - versionTag: needed if a closure or a computed property is part of the declaration.
    public init<Row, RowKey, RowMetadata>(
        _ name: String, groupsOf list: YapList<Row, RowKey, RowMetadata>, figures: [any YapGroupFigure<Row>] = [],
        keeping ends: YapGroupEnds = .last, sortedBy orders: YapOrder<Value>...,
        where condition: YapCondition<Value>? = nil,
        versionTag: String? = nil
    ) where Value == YapGroupRow<Row> {
        require(
            list.source.isStored,
            "The list \"\(list.name)\" is only in memory, and the rows of its groups would be stored. Use a list that is stored: one that filters another "
                + "one is, unless it is declared with `isStored: false`.")
        let rules = figures.map { $0.untyped.rule }
        let tag = declaredTag(
            declaredTag(
                versionTag,
                [list.name, list.versionTag, ends.contains(.first) ? "first" : "", ends.contains(.last) ? "last" : ""]
                    + rules.map { $0.name }, rule: nil, of: "The list \"\(name)\""), copying: list.collection.shape)
        let derivation = GroupDerivation(
            list: name, grouped: list.name, groupedTag: list.versionTag, source: list.collection.name, figures: rules,
            ends: ends,
            followsViews: !list.source.placesRows, versionTag: tag)
        let placement = Placement(
            where: condition, group: { _ in Self.onlyGroup }, storedGroup: { _ in Self.onlyGroup }, by: orders)
        let filter = condition.map { [$0.clause?.description] } ?? []
        self.init(
            name, YapCollection(derived: derivation.target, of: Value.self, shape: list.collection.shape) { $0.id },
            .derived(derivation, placement, use: { list.use(in: $0) }),
            isGroupBefore: String.isGroup,
            versionTag: declaredTag(
                versionTag, [tag] + orders.map { $0.description } + filter, rule: comparisonRule,
                of: "The list \"\(name)\""
            ))
    }
}

extension YapOrder {
    /// Groups with a lesser figure first.
    public static func ascending<Row, Result: Comparable>(_ figure: YapFigure<Row, Result>) -> Self
    where Value == YapGroupRow<Row> {
        byFigure(figure, isDescending: false)
    }

    /// Groups with a greater figure first.
    public static func descending<Row, Result: Comparable>(_ figure: YapFigure<Row, Result>) -> Self
    where Value == YapGroupRow<Row> {
        byFigure(figure, isDescending: true)
    }

    /// Groups with a lesser figure first; those without come before them.
    public static func ascending<Row, Result: Comparable>(_ figure: YapFigure<Row, Result?>) -> Self
    where Value == YapGroupRow<Row> {
        byFigure(figure, isDescending: false)
    }

    /// Groups with a greater figure first; those without come last.
    public static func descending<Row, Result: Comparable>(_ figure: YapFigure<Row, Result?>) -> Self
    where Value == YapGroupRow<Row> {
        byFigure(figure, isDescending: true)
    }

    private static func byFigure<Row, Result: Comparable>(
        _ figure: YapFigure<Row, Result>, isDescending: Bool
    ) -> Self where Value == YapGroupRow<Row> {
        by(
            isDescending ? "\(figure.rule.name) descending" : figure.rule.name,
            number: FieldNumber.of(Result.self, isDescending: isDescending).map { number in
                { @Sendable (row: Value) -> UInt64 in
                    withUnsafePointer(to: row[figure]) { number.ofValue(UnsafeRawPointer($0)) }
                }
            }, isExact: FieldNumber.isExact(for: Result.self)
        ) { ordered($0[figure], $1[figure], isDescending: isDescending) }
    }

    /// Those without the figure come before the least.
    private static func byFigure<Row, Result: Comparable>(
        _ figure: YapFigure<Row, Result?>, isDescending: Bool
    ) -> Self where Value == YapGroupRow<Row> {
        by(
            isDescending ? "\(figure.rule.name) descending" : figure.rule.name,
            number: FieldNumber.of(Result.self, isDescending: isDescending).map { number in
                { @Sendable (row: Value) -> UInt64 in
                    FieldNumber.of(row[figure], number.ofValue, isMissingFirst: !isDescending)
                }
            }, isExact: FieldNumber.isExactWithMissing(for: Result.self)
        ) { a, b in
            ordered(a[figure], b[figure], isMissingFirst: !isDescending) { ordered($0, $1, isDescending: isDescending) }
        }
    }

    /// Groups whose last row comes later in an order of the rows: `.descending(last: \.date)` has the group with the newest row first.
    public static func descending<Row, Field: Comparable & Sendable>(
        last path: KeyPath<Row, Field> & Sendable
    ) -> Self where Value == YapGroupRow<Row> {
        byEnd(
            { $0.last }, "last", .descending(path), isExact: FieldNumber.isExactWithMissing(for: Field.self))
    }

    /// Groups by a property of their last row, the least first.
    public static func ascending<Row, Field: Comparable & Sendable>(
        last path: KeyPath<Row, Field> & Sendable
    ) -> Self where Value == YapGroupRow<Row> {
        byEnd(
            { $0.last }, "last", .ascending(path), isExact: FieldNumber.isExactWithMissing(for: Field.self))
    }

    /// Groups by a property of their first row, the greatest first.
    public static func descending<Row, Field: Comparable & Sendable>(
        first path: KeyPath<Row, Field> & Sendable
    ) -> Self where Value == YapGroupRow<Row> {
        byEnd(
            { $0.first }, "first", .descending(path), isExact: FieldNumber.isExactWithMissing(for: Field.self))
    }

    /// Groups by a property of their first row, the least first.
    public static func ascending<Row, Field: Comparable & Sendable>(
        first path: KeyPath<Row, Field> & Sendable
    ) -> Self where Value == YapGroupRow<Row> {
        byEnd(
            { $0.first }, "first", .ascending(path), isExact: FieldNumber.isExactWithMissing(for: Field.self))
    }

    private static func byEnd<Row>(
        _ end: @escaping @Sendable (Value) -> Row?, _ word: String, _ order: YapOrder<Row>, isExact: Bool
    ) -> Self where Value == YapGroupRow<Row> {
        by(
            order.description.map { "\(word) \($0)" },
            number: order.prefix.map { number in
                { @Sendable (row: Value) -> UInt64 in FieldNumber.of(end(row), number, isMissingFirst: false) }
            },
            storedNumber: order.storedPrefix.map { number in
                { @Sendable fields in
                    FieldNumber.withMissing(try fields.object(of: word).map(number), isFirst: false)
                }
            }, isExact: isExact
        ) { a, b in ordered(end(a), end(b), isMissingFirst: false, order.compare) }
    }

    /// An order that a name tells apart from others.
    /// - Parameters:
    ///   - number: a number that is ordered as the rows are, nil if there is none.
    ///   - storedNumber: the same out of stored bytes; nil if these do not tell.
    ///   - isExact: whether rows with equal numbers are equal.
    private static func by(
        _ description: String?, number: (@Sendable (Value) -> UInt64)?,
        storedNumber: (@Sendable (StoredFields) throws -> UInt64)? = nil, isExact: Bool,
        _ compare: @escaping @Sendable (Value, Value) -> ComparisonResult
    ) -> Self {
        let prefix = number.map { number in
            { @Sendable (place: UnsafeRawPointer) -> UInt64 in
                number(place.assumingMemoryBound(to: Value.self).pointee)
            }
        }
        return Self(
            compare: compare, stored: nil, prefix: prefix, storedPrefix: storedNumber,
            isPrefixExact: prefix != nil && isExact,
            description: description, field: nil, isDescending: false, isTotal: true)
    }
}
