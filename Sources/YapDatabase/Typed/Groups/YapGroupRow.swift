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
public struct YapGroupRow<Value: Codable & Sendable>: Codable, Sendable, Identifiable {
    struct Figure: Codable, Equatable, Sendable {
        let name: String
        let state: FigureState
    }

    /// The name of the group.
    public let name: String
    /// The number of its rows, at least 1.
    public let count: Int
    /// Its first row; nil if the list is declared without.
    public let first: Value?
    /// Its last row; nil if the list is declared without.
    public let last: Value?
    let figures: [Figure]

    /// The name of the group.
    public var id: String { name }

    /// A figure of the group.
    ///
    /// Example: ``YapGroupRow``.
    ///
    /// - Precondition: the list was declared with it.
    public subscript<Result>(figure: YapFigure<Value, Result>) -> Result {
        for one in figures where one.name == figure.rule.name { return figure.result(one.state) }
        fatalError("The group \"\(name)\" has no figure \(figure.rule.name). Declare the list with it: `figures:`.")
    }
}

extension YapGroupRow: Equatable where Value: Equatable {}
extension YapGroupRow: Hashable where Value: Hashable {
    public func hash(into hasher: inout Hasher) {
        hasher.combine(name)
        hasher.combine(count)
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
