import Foundation
import ListChanges

/// A list, or one of its groups, page by page: for endless lists, and for going through everything in short transactions.
///
/// ```swift
/// let pages = order.pages(of: 50, in: "sci-fi")
/// var page = try await connection.read { transaction in try transaction[pages].first() }
/// page = try await connection.read { [page] transaction in try transaction[pages].page(after: page) }
/// ```
///
/// A page begins behind the last row of the page before, and not at a number of rows. So a row that keeps its place comes exactly once, whatever
/// other rows come, go and move meanwhile. Rows that are equal in order are told apart by their keys. Only if one of them leaves the others and
/// comes back between two pages, some of the others may be passed over. An order that ends with the key avoids that.
public struct YapPages<Value: Codable & Sendable, Key: YapKey, Metadata: Codable & Sendable>: Sendable {
    /// The list.
    public let list: YapList<Value, Key, Metadata>
    /// The group of the list; ``YapList/onlyGroup`` if none was named.
    public var group: String { named ?? YapList<Value, Key, Metadata>.onlyGroup }
    /// The most rows of a page.
    public let size: Int
    let named: String?
}

/// Some rows of a list, one after the other.
public struct YapPage<Value: Sendable, Key: YapKey>: Sendable {
    /// The rows' values, in the order of the list.
    public let values: [Value]
    /// The rows' keys.
    public let keys: [Key]
    /// The position of the first row in its group when the page was read.
    public let start: Int
    /// The position behind its last row, decodable or not, when it was read.
    let end: Int
    /// Whether no row came before the page when it was read.
    public let isFirst: Bool
    /// Whether no row came after the page when it was read.
    public let isLast: Bool
    /// Where the page begins and ends, for the pages before and after it.
    let (first, last): (PageEdge<Value, Key>?, PageEdge<Value, Key>?)
}

/// An end of a page: what says where it is when rows have come, gone and moved.
struct PageEdge<Value: Sendable, Key: YapKey>: Sendable {
    /// The rows of the page, the outermost first.
    let rows: [PageRow<Value, Key>]
    /// The keys, by rowid, of the rows that are equal in order to the outermost one, of this page and of those that were read before it; nil
    /// for too many. Not by key: two that differ in their Unicode form alone are equal to Swift.
    let ties: [Int64: Key]?
}

struct PageRow<Value: Sendable, Key: YapKey>: Sendable {
    let (rowid, key, value): (Int64, Key, Value)
}

extension YapList {
    /// The list page by page.
    ///
    /// ```swift
    /// for try await page in connection.pages(order.pages(of: 500, in: "sci-fi")) { print(page.values.count) }
    /// ```
    ///
    /// - Parameters:
    ///   - size: the most rows of a page; at least 1.
    ///   - group: the group; left out for a list that is not grouped.
    public func pages(
        of size: Int, in group: String? = nil
    ) -> YapPages<Value, Key, Metadata> {
        YapPages(list: self, size: max(1, size), named: group)
    }
}

/// One transaction's access to the pages of a list: `transaction[pages]`. Valid as long as the transaction.
///
/// A row that cannot be decoded is left out, and the next one comes in its place. Each function costs O(log n), and reads the rows of the page and
/// the rows that are equal in order to its last one.
public struct YapPageReader<Value: Codable & Sendable, Key: YapKey, Metadata: Codable & Sendable> {
    private let pages: YapPages<Value, Key, Metadata>
    private let rows: YapListRows<Value, Key, Metadata>

    fileprivate init(_ pages: YapPages<Value, Key, Metadata>, _ rows: YapListRows<Value, Key, Metadata>) {
        (self.pages, self.rows) = (pages, rows)
    }

    /// The first page of the group.
    ///
    /// ```swift
    /// var page = try transaction[pages].first()
    /// while !page.isLast { page = try transaction[pages].page(after: page) }
    /// ```
    ///
    /// - Throws: ``YapDatabaseError`` with code `corrupt`, `inputOutput` or `interrupted` if the file cannot be read.
    public func first() throws -> YapPage<Value, Key> { try page(from: 0) }

    /// The last page of the group, which is as long as the others if there are as many rows.
    ///
    /// ```swift
    /// let newest = try transaction[pages].last()
    /// let older = try transaction[pages].page(before: newest)
    /// ```
    ///
    /// - Throws: ``YapDatabaseError`` with code `corrupt`, `inputOutput` or `interrupted` if the file cannot be read.
    public func last() throws -> YapPage<Value, Key> { try page(upTo: rows.count(in: pages.group)) }

    /// The page that begins with a row; the first one if the row is not in the group.
    ///
    /// ```swift
    /// let page = try transaction[pages].page(from: "dune")
    /// ```
    ///
    /// - Throws: ``YapDatabaseError`` with code `corrupt`, `inputOutput` or `interrupted` if the file cannot be read.
    public func page(from key: Key) throws -> YapPage<Value, Key> { try page(from: index(of: key) ?? 0) }

    /// The page after another one; it has no rows if that was the last.
    ///
    /// Example: ``first()``.
    ///
    /// - Throws: ``YapDatabaseError`` with code `corrupt`, `inputOutput` or `interrupted` if the file cannot be read.
    public func page(after page: YapPage<Value, Key>) throws -> YapPage<Value, Key> {
        let start = try page.last.flatMap { try end(of: $0, forwards: true) } ?? page.end
        return try self.page(from: start, after: page.last)
    }

    /// The page before another one; it has no rows if that was the first.
    ///
    /// Example: ``last()``.
    ///
    /// - Throws: ``YapDatabaseError`` with code `corrupt`, `inputOutput` or `interrupted` if the file cannot be read.
    public func page(before page: YapPage<Value, Key>) throws -> YapPage<Value, Key> {
        let end = try page.first.flatMap { try self.end(of: $0, forwards: false) } ?? page.start
        return try self.page(upTo: end, before: page.first)
    }

    // A row that cannot be decoded is passed over, and the page goes on behind it: its position would say nothing of where the page ended, because
    // such rows leave the list when they are found.

    /// - Parameter before: the beginning of the page that was read last, if this is the page before it.
    private func page(upTo end: Int, before: PageEdge<Value, Key>? = nil) throws -> YapPage<Value, Key> {
        let end = min(end, rows.count(in: pages.group))
        var (start, found) = (end, [PageRow<Value, Key>]())
        while start > 0, found.count < pages.size {
            start -= 1
            if let row = try row(at: start) { found.append(row) }
        }
        return page(found.reversed(), start..<end, before: before)
    }

    /// - Parameter after: the end of the page that was read last, if this is the page after it.
    private func page(from start: Int, after: PageEdge<Value, Key>? = nil) throws -> YapPage<Value, Key> {
        let count = rows.count(in: pages.group)
        let start = min(start, count)
        var (end, found) = (start, [PageRow<Value, Key>]())
        while end < count, found.count < pages.size {
            if let row = try row(at: end) { found.append(row) }
            end += 1
        }
        return page(found, start..<end, after: after)
    }

    private func page(
        _ found: [PageRow<Value, Key>], _ range: Range<Int>, after: PageEdge<Value, Key>? = nil,
        before: PageEdge<Value, Key>? = nil
    ) -> YapPage<Value, Key> {
        YapPage(
            values: found.map(\.value), keys: found.map(\.key), start: range.lowerBound, end: range.upperBound,
            isFirst: range.lowerBound == 0, isLast: range.upperBound >= rows.count(in: pages.group),
            first: edge(found, beyond: before), last: edge(found.reversed(), beyond: after))
    }

    /// Nil also for one that cannot be decoded, which only a program without the list can have put there.
    private func row(at index: Int) throws -> PageRow<Value, Key>? {
        guard let row = try rows.view.row(at: index, inGroup: pages.group) else { return nil }
        do {
            return PageRow(
                rowid: row.rowid, key: try pages.list.collection.key(of: row.key), value: try rows.value(of: row))
        } catch {
            guard rows.view.mayPassOver(error) else { throw error }
            return nil
        }
    }

    private func edge(
        _ found: [PageRow<Value, Key>], beyond former: PageEdge<Value, Key>?
    ) -> PageEdge<Value, Key>? {
        guard let outermost = found.first else { return former }
        guard let order = pages.list.source.order else { return PageEdge(rows: found, ties: nil) }
        let equal = found.prefix { order($0.value, outermost.value) == .orderedSame }
        var ties: [Int64: Key]? = Dictionary(equal.map { ($0.rowid, $0.key) }, uniquingKeysWith: { $1 })
        if equal.count == found.count, let former, let row = former.rows.first,
            order(row.value, outermost.value) == .orderedSame
        {
            ties = former.ties.flatMap { former in ties.map { former.merging($0) { $1 } } }
        }
        return PageEdge(rows: found, ties: ties.flatMap { $0.count > Self.maxTies ? nil : $0 })
    }

    private static var maxTies: Int { 1_000 }
    /// The most undecodable rows, one after the other, that are passed over.
    private static var maxUndecodable: Int { 1_000 }

    /// The position at which the rows behind an edge begin, going forwards, or end; nil if nothing tells.
    ///
    /// In a list with orders, it is the place that the outermost row had among the values of now. Of the rows that are equal there, those come
    /// behind the edge that stand behind all that were read. In other lists, and among very many equal rows, the outermost row tells that is
    /// still there.
    private func end(of edge: PageEdge<Value, Key>, forwards: Bool) throws -> Int? {
        guard let order = pages.list.source.order, let ties = edge.ties, let value = edge.rows.first?.value else {
            for row in edge.rows {
                guard let index = try index(of: row.key, rowid: row.rowid) else { continue }
                return forwards ? index + 1 : index
            }
            return nil
        }
        let count = rows.count(in: pages.group)
        // A row that cannot be decoded counts as the next one that can be.
        func isBehind(_ index: Int, _ isBehind: (ComparisonResult) -> Bool) throws -> Bool {
            for place in index..<min(count, index + Self.maxUndecodable) {
                if let row = try row(at: place) { return isBehind(order(row.value, value)) }
            }
            return true
        }
        let start = try (0..<count).partitionPoint { try isBehind($0) { $0 != .orderedAscending } }
        let end = try (start..<count).partitionPoint { try isBehind($0) { $0 == .orderedDescending } }
        let read = try ties.compactMap { try index(of: $1, rowid: $0) }.filter { start..<end ~= $0 }
        return forwards ? read.max().map { $0 + 1 } ?? start : read.min() ?? end
    }

    /// The position of a row in the group; nil if it is not there.
    /// - Parameter rowid: that of the row; nil for whichever row has the key.
    private func index(of key: Key, rowid: Int64? = nil) throws -> Int? {
        let row = pages.list.collection.rowKey(key)
        guard let (group, index) = try rows.view.getGroupIndex(forKey: row.key, inCollection: row.collection),
            group.hasSameBytes(as: pages.group)
        else { return nil }
        if let rowid, try rows.view.row(at: index, inGroup: group)?.rowid != rowid { return nil }
        return index
    }
}

extension ListSource {
    /// How the list orders values; nil if values do not tell.
    fileprivate var order: ((Value, Value) -> ComparisonResult)? {
        switch self {
        case .placed(let placement), .searchedAndPlaced(_, let placement, _), .derived(_, let placement, _):
            if placement.orders.isEmpty { return nil }
            return { placement.orders.compare($0, $1) }
        case .filtered(_, let parent, _, _), .searched(_, _, let parent, _): return parent.order
        case .manual: return nil
        }
    }
}

extension YapTypedTransaction {
    /// The pages of a list, with its types.
    ///
    /// - Throws: ``YapDatabaseError`` with `badExtension` if the list is not registered in this state of the database.
    public subscript<Value, Key, Metadata>(
        pages: YapPages<Value, Key, Metadata>
    ) -> YapPageReader<Value, Key, Metadata> {
        get throws {
            let rows = try self[pages.list]
            _ = try rows.groupToRead(pages.named)
            return YapPageReader(pages, rows)
        }
    }
}

extension YapDatabaseConnection {
    /// Goes through a list page by page, each in a transaction of its own, so that nothing is held meanwhile.
    ///
    /// ```swift
    /// for try await page in connection.pages(order.pages(of: 500, in: "sci-fi")) { print(page.values.count) }
    /// ```
    ///
    /// - Parameter pages: the list and the size of a page.
    /// - Throws: in the loop, ``YapDatabaseError`` with code `badExtension` if the list is not registered, `decodingFailed` if a row cannot be
    ///   decoded and ``YapDatabaseOptions/undecodableRows`` is `.fail`, else it is left out; others if the file cannot be read.
    public func pages<Value, Key, Metadata>(
        _ pages: YapPages<Value, Key, Metadata>
    ) -> AsyncThrowingStream<YapPage<Value, Key>, any Error> {
        typealias Page = YapPage<Value, Key>
        let last = Locked<Page?>(nil)
        return AsyncThrowingStream(unfolding: { () async throws -> Page? in
            let before: Page? = last.withLock { $0 }
            if before?.isLast == true { return nil }
            let page: Page = try await self.read { transaction throws -> Page in
                let reader = try transaction[pages]
                guard let before else { return try reader.first() }
                return try reader.page(after: before)
            }
            last.withLock { $0 = page }
            return page.keys.isEmpty ? nil : page
        })
    }
}
