import Foundation
import ListChanges

/// A row with what its date means at present.
///
/// ```swift
/// let overdue = YapList("overdue", of: dated.rows, sortedBy: .ascending(\.row.due), where: \.isPast == true)
/// ```
public struct YapTimedRow<Row: Codable & Sendable>: YapPlainCodable, Sendable {
    /// The row.
    public let row: Row
    /// The day of its date, as seen from today.
    public let day: YapDay
    /// Whether its date is before the present.
    public let isPast: Bool
}

extension YapTimedRow: Equatable where Row: Equatable {}
extension YapTimedRow: Hashable where Row: Hashable {}
extension YapTimedRow: Identifiable where Row: Identifiable {
    public var id: Row.ID { row.id }
}

/// A day as seen from today: the three around the present by these words, others by their date, as `2026-11-27`.
///
/// As a group of a list, its name is `yesterday`, `today`, `tomorrow`, the date of a past day, or `+` and the date of a coming one. Sections are in
/// the order of time.
public enum YapDay: Hashable, Sendable, YapGroup {
    /// A day before yesterday, with its date.
    case past(String)
    /// The day before today.
    case yesterday
    /// The present day.
    case today
    /// The day after today.
    case tomorrow
    /// A day after tomorrow, with its date.
    case coming(String)

    /// The name of the day's group.
    public var name: String {
        switch self {
        case .past(let date): date
        case .yesterday: "yesterday"
        case .today: "today"
        case .tomorrow: "tomorrow"
        case .coming(let date): "+" + date
        }
    }

    /// The day of a group's name: of a section that shows days.
    /// - Parameter name: as ``name`` gives it; any other text is the date of a past day.
    public init(name: String) {
        switch name {
        case "yesterday": self = .yesterday
        case "today": self = .today
        case "tomorrow": self = .tomorrow
        default: self = name.dropping(prefix: "+").map(YapDay.coming) ?? .past(name)
        }
    }

    public var groupName: String? { name }

    private var rank: Int {
        switch self {
        case .past: 0
        case .yesterday: 1
        case .today: 2
        case .tomorrow: 3
        case .coming: 4
        }
    }

    public static func isGroup(_ name: String, before other: String) -> Bool {
        let (first, second) = (YapDay(name: name).rank, YapDay(name: other).rank)
        return first != second ? first < second : name.precedes(other)
    }
}

extension YapDay: Codable {
    public init(from decoder: any Decoder) throws { self.init(name: try String(from: decoder)) }
    public func encode(to encoder: any Encoder) throws { try name.encode(to: encoder) }
}

/// Rows of a collection, each with what a date of it means at present: lists of them are grouped by yesterday, today and tomorrow, or have what is
/// past, and change when the moment comes.
///
/// ```swift
/// let dated = YapTimed("dated", of: tasks, at: \.due, in: .current)
/// let agenda = YapList(
///     "agenda", of: dated.rows, groupedBy: \.day, sortedBy: .ascending(\.row.due), where: \.row.isDone == false)
/// let overdue = YapList("overdue", of: dated.rows, sortedBy: .ascending(\.row.due), where: \.isPast == true)
/// try await database.register(dated, agenda, overdue)
/// ```
///
/// ``rows`` is a collection like others, for lists, indexes, requests and joins. Only the library writes it. When a row's next moment comes, the
/// first program that has the file open and `dated` registered rewrites that row, in a commit of its own; lists show it as any change, and
/// others find nothing left to do. Moments are in the file: nothing polls, and a program that starts a week later is right once it has registered.
///
/// The clock is that of the database, ``YapDatabaseOptions/clock``. Days begin at the midnights of the time zone, also where daylight saving makes them
/// longer or shorter; another time zone, as of a device that has travelled, derives all rows again when the program registers with it. A clock that
/// was set forward moves rows at once, or with the next commit. A clock that was set back is noticed when the program registers the rows the next
/// time; then they return to where they belong. It is not noticed before, so that two programs whose clocks differ do not undo each other's work.
///
/// Each row is stored a second time. A moment costs one small write for each row that it concerns; waiting for it costs nothing.
public struct YapTimed<Row: Codable & Sendable, Key: YapKey, Metadata: Codable & Sendable>: YapDeclaration {
    /// The name under which it is registered: the one that was given, and `.rows`.
    public var name: String { derivation.name }
    /// The rows with their days, under the keys of the rows. Read them, and declare lists of them.
    public let rows: YapCollection<YapTimedRow<Row>, Key, Never>
    private let source: YapCollection<Row, Key, Metadata>
    private let derivation: TimedDerivation<Row>

    private init(
        _ name: String, _ source: YapCollection<Row, Key, Metadata>, _ path: FieldPath, _ timeZone: TimeZone,
        _ versionTag: String?, _ date: @escaping @Sendable (Row) -> Date?
    ) {
        self.source = source
        derivation = TimedDerivation(
            list: name, source: source.name, date: date, days: Days(in: timeZone),
            versionTag: declaredTag(
                declaredTag(versionTag, [source.name, path.name], rule: nil, of: "The rows \"\(name)\"")
                    + " | in \(timeZone.identifier)", copying: source.shape))
        rows = YapCollection(derived: derivation.target, of: YapTimedRow<Row>.self, shape: source.shape) {
            source.key(of: $0.row)
        }
    }

    public func makeExtension() -> YapDatabaseExtension { YapDatabaseDerivedRows(derivation) }

    public func use(in database: YapDatabase) {
        source.use(in: database)
        rows.use(in: database)
    }
}

extension YapTimed {
    /// Rows with a date.
    /// - Parameters:
    ///   - name: names the rows, unique in the file.
    ///   - source: the collection of the rows; that of a join, or of a list of groups, too.
    ///   - path: a property with a date. What is no date, as of not-a-number, is not among the rows.
    ///   - timeZone: whose midnights divide the days.
    ///   - versionTag: needed if the property is computed; another one whenever it changes.
    public init(
        _ name: String, of source: YapCollection<Row, Key, Metadata>, at path: KeyPath<Row, Date> & Sendable,
        in timeZone: TimeZone, versionTag: String? = nil
    ) {
        let field = FieldReader(path)
        self.init(name, source, FieldPath(path), timeZone, versionTag) { field($0) }
    }

    /// Rows that may have a date; those without are not among the rows.
    /// - Parameters:
    ///   - name: names the rows, unique in the file.
    ///   - source: the collection of the rows; that of a join, or of a list of groups, too.
    ///   - path: a property with a date or nil.
    ///   - timeZone: whose midnights divide the days.
    ///   - versionTag: needed if the property is computed; another one whenever it changes.
    public init(
        _ name: String, of source: YapCollection<Row, Key, Metadata>, at path: KeyPath<Row, Date?> & Sendable,
        in timeZone: TimeZone, versionTag: String? = nil
    ) {
        let field = FieldReader(path)
        self.init(name, source, FieldPath(path), timeZone, versionTag) { field($0) }
    }
}
