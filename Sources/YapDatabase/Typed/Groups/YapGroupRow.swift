import FileEngine
import ListChanges

/// A group of a list as a row of another one: its name, the number of its rows, its first or last row, and figures over all of them.
///
/// ```swift
/// let unread = YapFigure.count(where: \Message.isUnread == true)
/// let rooms = YapList("rooms", of: messages, groupedBy: \.room, sortedBy: .ascending(\.date))
/// let inbox = YapList("inbox", groupsOf: rooms, figures: [unread], sortedBy: .descending(last: \.date))
/// try await database.register(rooms, inbox)
/// for room in try await connection.read({ try $0[inbox].values() }) {
///     print(room.name, room.count, room[unread], room.last?.text ?? "")
/// }
/// ```
public struct YapGroupRow<Value: Codable & Sendable>: YapPlainCodable, Sendable, Identifiable {
    /// The name of the group.
    public let name: String
    /// The number of its rows, at least 1.
    public let count: Int
    /// Its first row; nil if the list is declared without.
    public let first: Value?
    /// Its last row; nil if the list is declared without.
    public let last: Value?
    let figures: [GroupFigure]

    /// The name of the group.
    public var id: String { name }

    /// A figure of the group. Where its row lacks it, because the list is declared without it or the row was damaged, that of no rows, which is
    /// logged once for each figure.
    ///
    /// Example: ``YapGroupRow``.
    public subscript<Result>(figure: YapFigure<Value, Result>) -> Result {
        for one in figures where one.name == figure.rule.name { return figure.result(one.state) }
        if missingFigures.withLock({ $0.insert(figure.rule.name).inserted }) {
            YapDatabase.log(
                .warning,
                "The group \"\(name)\" has no figure \(figure.rule.name). Declare the list with it: `figures:`. If it is, the row is damaged: "
                    + "run `yap check`.")
        }
        return figure.result(figure.rule.initial)
    }
}

/// The figures that were logged.
private let missingFigures = Locked<Set<String>>([])

extension YapGroupRow: Equatable where Value: Equatable {}
extension YapGroupRow: Hashable where Value: Hashable {
    public func hash(into hasher: inout Hasher) {
        hasher.combine(name)
        hasher.combine(count)
    }
}

extension YapListRows {
    /// Returns a figure of a group, which a list of the groups keeps.
    ///
    /// O(log n): one small row is read, however many rows the group has.
    ///
    /// ```swift
    /// let turnover = try transaction[orders].figure(total, in: "books")
    /// ```
    ///
    /// - Parameters:
    ///   - figure: one with which a list of the groups of this one is declared and registered.
    ///   - group: the group; left out for a list that is not grouped. One without rows has the figure of none: 0, or nil.
    /// - Throws: ``YapDatabaseError`` with code `badExtension` if no such list is registered in this state of the database; `badQuery` if
    ///   a grouped list has rows and no group is named; `corrupt`, `inputOutput` or
    ///   `interrupted` if the file cannot be read.
    public func figure<Result>(
        _ figure: YapFigure<Value, Result>, in group: String? = nil
    ) throws -> Result {
        let (transaction, group) = (view.transaction, try groupToRead(group))
        for entry in transaction.snapshot.extensions {
            guard let derived = entry.extension as? YapDatabaseDerivedRows,
                let groups = derived.derivation as? GroupDerivation<Value>,
                groups.grouped.hasSameBytes(as: list.name),
                groups.figures.contains(where: { $0.name == figure.rule.name })
            else { continue }
            transaction.updateDerivedRows(of: groups.target)
            let key = RowKey(collection: groups.target, key: group)
            let row = try transaction.value(of: YapGroupRow<Value>.self, .key(key), key)
            return row.map { $0[figure] } ?? figure.result(figure.rule.initial)
        }
        throw YapDatabaseError(
            .badExtension,
            "No list of the groups of \"\(list.name)\" has the figure \(figure.rule.name). Register one: `YapList(…, groupsOf: …, figures: …)`."
        )
    }
}

/// Which rows of a group its row has with it.
public struct YapGroupEnds: OptionSet, Sendable {
    public let rawValue: Int

    public init(rawValue: Int) { self.rawValue = rawValue }

    /// The first row.
    public static let first = YapGroupEnds(rawValue: 1)
    /// The last row.
    public static let last = YapGroupEnds(rawValue: 2)
}
