import CSQLite

/// Collations and functions that a file's schema names and that only the program has that made it.
///
/// SQLite compiles no statement about a table with an unknown collation or function, even one that needs neither. So each
/// gets one of these in its place, which makes a statement fail only when it is to compare or to compute.
final class StandIns: @unchecked Sendable {
    // @unchecked: used by the thread that uses the handle.

    /// The most names of a file that are stood in for.
    private static let limit = 1_000

    private let handle: OpaquePointer
    private var items: [StandIn] = []
    /// What a statement asked for since the last error.
    fileprivate var asked: String?
    fileprivate var order = SQLiteHandle.OrderOfMissing.none
    /// The collations that rows were ordered by in another way than the app's.
    fileprivate var used: Set<String> = []

    init(_ handle: OpaquePointer) {
        self.handle = handle
        sqlite3_collation_needed(handle, Unmanaged.passUnretained(self).toOpaque()) { context, _, _, name in
            guard let context, let name else { return }
            Unmanaged<StandIns>.fromOpaque(context).takeUnretainedValue().addCollation(String(cString: name))
        }
    }

    /// In words, such as `the collation LOCALIZED`.
    var names: [String] { items.map(\.words) }

    func setOrder(_ order: SQLiteHandle.OrderOfMissing) { self.order = order }

    private func addCollation(_ name: String) {
        guard let item = item("the collation \(name)") else { return }
        sqlite3_create_collation_v2(
            handle, name, SQLITE_UTF8, Unmanaged.passUnretained(item).toOpaque(),
            { context, firstCount, first, secondCount, second in
                let item = Unmanaged<StandIn>.fromOpaque(context!).takeUnretainedValue()
                return item.compare(
                    UnsafeRawBufferPointer(start: first, count: Int(firstCount)),
                    UnsafeRawBufferPointer(start: second, count: Int(secondCount)))
            }, nil)
    }

    /// Adds the function without which a statement was not compiled.
    /// - Returns: whether compiling it again may succeed.
    func addFunction(missedBy error: SQLiteError) -> Bool {
        guard let name = error.missingFunction, let item = item("the function \(name)") else { return false }
        let status = sqlite3_create_function_v2(
            handle, name, -1, SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS,
            Unmanaged.passUnretained(item).toOpaque(),
            { context, _, _ in
                let item = Unmanaged<StandIn>.fromOpaque(sqlite3_user_data(context)).takeUnretainedValue()
                item.owner?.asked = item.words
                sqlite3_result_error(context, "\(item.words) is missing", -1)
            }, nil, nil, nil)
        return status == SQLITE_OK
    }

    private func item(_ words: String) -> StandIn? {
        guard items.count < Self.limit, !items.contains(where: { $0.words == words }) else { return nil }
        let item = StandIn(words, self)
        items.append(item)
        return item
    }

    /// Returns the error of a statement that one of these made fail with its reason.
    func explain(_ error: SQLiteError) -> SQLiteError {
        defer { asked = nil }
        guard let asked, error.code == SQLiteError.interrupted || error.code == SQLiteError.statement else {
            return error
        }
        return SQLiteError(missing: asked, sql: error.sql)
    }

    fileprivate func stop(_ words: String) {
        asked = words
        // A comparison cannot fail by itself.
        sqlite3_interrupt(handle)
    }
}

/// One collation or function.
private final class StandIn {
    let words: String
    /// Lives as long as the handle, and so longer than the calls of this.
    private(set) weak var owner: StandIns?

    init(_ words: String, _ owner: StandIns) { (self.words, self.owner) = (words, owner) }

    func compare(_ first: UnsafeRawBufferPointer, _ second: UnsafeRawBufferPointer) -> Int32 {
        guard let owner else { return 0 }
        switch owner.order {
        case .none:
            owner.stop(words)
            return 0
        case .bytes:
            owner.used.insert(words)
            if first.elementsEqual(second) { return 0 }
            return first.lexicographicallyPrecedes(second) ? -1 : 1
        case .arrival: return -1
        }
    }
}

extension SQLiteHandle {
    /// How texts are ordered by a collation that is missing here.
    public enum OrderOfMissing: Sendable {
        /// A statement that compares them fails.
        case none
        /// By their bytes. An index made so has to be made again by a program that has the collation.
        case bytes
        /// Each is behind those that came before it: rows that are inserted in the order of another index get that order.
        case arrival
    }

    /// The collations and functions that the schema names and that SQLite does not have here, in words. Only of handles whose
    /// rules stand in for these.
    public var missing: [String] { standIns?.names ?? [] }

    /// Returns the collations that texts were compared by in the order of their bytes since the last call, in words.
    public func takeUsedMissing() -> [String] {
        defer { standIns?.used = [] }
        return standIns?.used.sorted() ?? []
    }

    public func setOrderOfMissing(_ order: OrderOfMissing) { standIns?.setOrder(order) }
}

extension SQLiteError {
    /// A statement failed because it needs a collation or a function that only another program has.
    public static let missing: Int32 = -1

    fileprivate init(missing words: String, sql: String?) {
        self.init(extendedCode: Self.missing, message: "\(words) is missing", sql: sql)
        code = Self.missing
    }

    fileprivate var missingFunction: String? {
        if message.hasPrefix("no such function: ") { return String(message.dropFirst("no such function: ".count)) }
        guard message.hasPrefix("unknown function: "), message.hasSuffix("()") else { return nil }
        return String(message.dropFirst("unknown function: ".count).dropLast(2))
    }
}
