import FileReading
import Foundation
import ListChanges
import ObjectDecoding
import SQLiteBridge
import YapDatabase

/// Opens bytes as a file and reads everything in it. Errors are expected; crashes, hangs and leaks are failures.
enum FileCheck {
    static func check(_ bytes: UnsafeRawBufferPointer) {
        precondition(FileManager.default.createFile(atPath: path, contents: Data(bytes)), "\(path) cannot be written.")
        look()
    }

    /// Interprets the bytes as the pages of a view: for each page its key, group, predecessor, the error of its count,
    /// and its rows.
    static func checkPages(_ bytes: UnsafeRawBufferPointer) {
        do {
            try writePages(bytes)
        } catch {
            fatalError("The pages cannot be written: \(error)")
        }
        look()
    }

    private static let path = "/dev/shm/yap-fuzz-\(getpid()).sqlite"
    private static let rowLimit = 50

    private static func look() {
        defer { unlink(path) }
        attempt { _ = try SalvagedFile(path)?.report { _, _ in } }
        attempt { _ = try RowCheck.run(path) }
        do {
            let file = try BrowsedFile(path: path)
            let catalog = try file.snapshot.catalog()
            for subject in subjects(catalog) { attempt { try look(at: subject, file, catalog) } }
            attempt { try FileSearch(SearchText("a")).run(in: file.snapshot, found: { _, _ in }) }
            attempt { _ = try FileExport(file).run { _, _ in } }
        } catch {
            _ = "\(error)"
        }
    }

    private static func subjects(_ catalog: Catalog) -> [ListSubject] {
        catalog.collections.prefix(20).flatMap { [.collection($0, by: .key), .collection($0, by: .rowid)] }
            + catalog.views.prefix(10).map { .view($0.name, groups: nil) }
            + catalog.indexes.prefix(5).map { .index($0.name, by: $0.columns.first) }
            + catalog.fullText.prefix(5).map { .fullText($0.name, matching: "a*") }
            + catalog.relationships.prefix(5).map { .relationship($0.name) } + [.smallValues]
    }

    private static func look(at subject: ListSubject, _ file: BrowsedFile, _ catalog: Catalog) throws {
        let content = try ListContent(subject, file.snapshot, catalog: catalog)
        try content.loadAll()
        let list = BrowsedList(content)
        for group in content.groups.prefix(20) {
            let count = list.count(inGroup: group).known
            for index in Set(Array(0..<min(count, rowLimit)) + [count - 1, count / 2]) where index >= 0 {
                guard let rowid = try list.rowid(at: index, inGroup: group) else { continue }
                _ = try list.path(ofRowid: rowid)
                attempt { _ = try file.snapshot.places(of: rowid, in: catalog) }
                decode(try file.snapshot.read { try content.row(rowid, valueBytes: 1 << 20, $0) })
            }
        }
    }

    private static func decode(_ row: BrowsedRow) {
        for bytes in [row.object?.bytes, row.metadata?.bytes].compactMap({ $0 }) {
            bytes.withUnsafeBytes { DecodingCheck.check($0, as: []) }
        }
    }

    private static func attempt(_ body: () throws -> Void) {
        do { try body() } catch { _ = "\(error)" }
    }
}

extension FileCheck {
    private static func writePages(_ bytes: UnsafeRawBufferPointer) throws {
        let handle = try SQLiteHandle(path: path, mode: .create)
        for sql in schema { try handle.execute(sql) }
        let insert = try handle.statement(#"INSERT OR REPLACE INTO "view_v_page" VALUES (?, ?, ?, ?, ?)"#)
        var rest = bytes[...]
        while rest.count >= 5 {
            let header = rest.prefix(5).map { $0 }
            let size = Int(header[4])
            rest = rest.dropFirst(5)
            let data = Array(rest.prefix(size))
            rest = rest.dropFirst(data.count)
            try insert.bind("page \(header[0] % 16)", at: 1)
            try insert.bind("group \(header[1] % 4)", at: 2)
            try insert.bind(header[2] >= 240 ? "" : "page \(header[2] % 16)", at: 3)
            try insert.bind(Int64(data.count / 8) + (header[3] < 200 ? 0 : Int64(Int8(bitPattern: header[3]))), at: 4)
            try insert.bind(data, at: 5)
            try insert.run()
            insert.reset()
        }
    }

    private static let schema = [
        "PRAGMA journal_mode = OFF", "PRAGMA synchronous = OFF", "BEGIN", "PRAGMA user_version = 3",
        #"CREATE TABLE "yap2" ("extension" CHAR, "key" CHAR, "data" BLOB, PRIMARY KEY ("extension", "key"))"#,
        """
        CREATE TABLE "database2" ("rowid" INTEGER PRIMARY KEY, "collection" CHAR, "key" CHAR, "data" BLOB, \
        "metadata" BLOB)
        """,
        #"CREATE TABLE "view_v_map" ("rowid" INTEGER PRIMARY KEY, "pageKey" CHAR NOT NULL)"#,
        """
        CREATE TABLE "view_v_page" ("pageKey" CHAR NOT NULL PRIMARY KEY, "group" CHAR NOT NULL, \
        "prevPageKey" CHAR, "count" INTEGER, "data" BLOB)
        """, #"INSERT OR REPLACE INTO "yap2" VALUES ('v', 'class', 'YapDatabaseView')"#,
        "COMMIT",
    ]
}
