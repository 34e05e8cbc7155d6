import FileEngine
import Foundation
import SQLiteBridge

/// Writes the pages of a view again with the places that can be read, of rows that exist: what a program put there follows from no row.
///
/// A view without an entry in `yap2` becomes a manual one. If its program registers it as another kind, it is filled from the rows.
struct ManualViewRepair {
    static let className = "YapDatabaseManualView"
    private static let classVersion = 3
    /// The rows of a page that the original writes.
    private static let pageRows = 50
    private static let places = 8

    private struct Page {
        var key: [UInt8]
        var group: [UInt8]
        var previous: [UInt8]
        var rows: [Int64]
    }

    private let store: Store
    private let name: String
    private var pageTable: String { Store.quoted("view_\(name)_page") }
    private var mapTable: String { Store.quoted("view_\(name)_map") }

    init(_ store: Store, _ name: String) { (self.store, self.name) = (store, name) }

    /// Whether the tables have their columns.
    var canRun: Bool {
        get throws {
            guard try store.hasTable("view_\(name)_page"), try store.hasTable("view_\(name)_map") else { return false }
            let columns = #""pageKey", "group", "prevPageKey", "count", "data""#
            return (try? store.all("SELECT \(columns) FROM \(pageTable) LIMIT 1") { _ in true }) != nil
                && (try? store.all(#"SELECT "rowid", "pageKey" FROM \#(mapTable) LIMIT 1"#) { _ in true }) != nil
        }
    }

    /// - Returns: the places that were removed, in words.
    func run() throws -> [String] {
        if try store.registeredExtension(name) == nil {
            let entry = RegisteredExtension(className: Self.className, classVersion: Self.classVersion, versionTag: "")
            try store.setRegisteredExtension(entry, name: name)
        }
        for key in ["pages", "pagesSnapshot"] { try store.removeYapValue(extension: name, key: key) }
        let pages = try pages()
        try store.execute("DELETE FROM \(pageTable)")
        try store.execute("DELETE FROM \(mapTable)")
        var (removed, seen) = ([String](), Set<Int64>())
        for (group, rows) in Self.groups(pages) {
            var kept: [Int64] = []
            for row in rows where seen.insert(row).inserted {
                if try exists(row) {
                    kept.append(row)
                } else {
                    removed.append("row \(row) in the group \"\(String(decoding: group, as: UTF8.self))\"")
                }
            }
            try write(kept, group)
        }
        return removed
    }

    private func pages() throws -> [Page] {
        try store.all(
            #"SELECT "pageKey", "group", "prevPageKey", "data" FROM \#(pageTable) ORDER BY rowid"#
        ) { statement in
            let rows = statement.withBytes(at: 3) { bytes in
                stride(from: 0, through: bytes.count - Self.places, by: Self.places).map {
                    Int64(littleEndian: bytes.loadUnaligned(fromByteOffset: $0, as: Int64.self))
                }
            }
            return Page(
                key: statement.bytes(at: 0), group: statement.bytes(at: 1), previous: statement.bytes(at: 2), rows: rows
            )
        }
    }

    /// The rows of each group: its pages in the order of their chain, and then those that no chain leads to.
    private static func groups(_ pages: [Page]) -> [(group: [UInt8], rows: [Int64])] {
        var order: [[UInt8]] = []
        var ofGroup: [[UInt8]: [Int]] = [:]
        var next: [[UInt8]: [Int]] = [:]
        for (place, page) in pages.enumerated() {
            if ofGroup[page.group] == nil { order.append(page.group) }
            ofGroup[page.group, default: []].append(place)
            next[page.previous, default: []].append(place)
        }
        return order.map { group in
            let own = ofGroup[group] ?? []
            var (met, rows) = (Set<Int>(), [Int64]())
            func follow(_ first: Int) {
                var place: Int? = first
                while let page = place, met.insert(page).inserted {
                    rows += pages[page].rows
                    place = next[pages[page].key]?.first { pages[$0].group == group && !met.contains($0) }
                }
            }
            let keys = Set(own.map { pages[$0].key })
            // The first pages, then those whose predecessor is missing, then circles.
            for first in own where pages[first].previous.isEmpty { follow(first) }
            for first in own where !keys.contains(pages[first].previous) { follow(first) }
            for first in own { follow(first) }
            return (group, rows)
        }
    }

    private func write(_ rows: [Int64], _ group: [UInt8]) throws {
        var previous: String?
        for start in stride(from: 0, to: rows.count, by: Self.pageRows) {
            let part = rows[start..<min(start + Self.pageRows, rows.count)]
            let key = UUID.random().uuidString
            try store.run(
                #"INSERT INTO \#(pageTable) ("pageKey", "group", "prevPageKey", "count", "data") VALUES (?, ?, ?, ?, ?)"#
            ) { statement in
                try statement.bind(key, at: 1)
                try statement.bind(textBytes: group, at: 2)
                if let previous { try statement.bind(previous, at: 3) }
                try statement.bind(Int64(part.count), at: 4)
                try statement.bind(part.flatMap { withUnsafeBytes(of: $0.littleEndian) { Array($0) } }, at: 5)
            }
            for row in part {
                try store.run(#"INSERT INTO \#(mapTable) ("rowid", "pageKey") VALUES (?, ?)"#) {
                    try $0.bind(row, at: 1)
                    try $0.bind(key, at: 2)
                }
            }
            previous = key
        }
    }

    private func exists(_ row: Int64) throws -> Bool {
        try store.first(
            #"SELECT 1 FROM "database2" WHERE "rowid" = ?"#, bind: { try $0.bind(row, at: 1) }, read: { _ in true })
            ?? false
    }
}
