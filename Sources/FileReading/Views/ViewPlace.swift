import SQLiteBridge
import FileEngine

/// A row's position in a view.
package struct ViewPlace: Hashable, Sendable {
    package var view: String
    package var group: String
    package var pageKey: String
    package var placeInPage: Int
    /// Nil if the group's pages have not been read.
    package var placeInGroup: Int?
}

extension FileSnapshot {
    /// Looks up a row's positions in views, by their maps: a few searches a view.
    /// - Parameter pages: views whose pages have been read, which makes positions in groups known.
    package func places(of rowid: Int64, in catalog: Catalog, pages: [String: ViewPageList] = [:]) throws -> [ViewPlace]
    {
        try read { store in
            try catalog.views.compactMap { view in
                guard view.hasPages, schema.tables["view_\(view.name)_map"]?.has("pageKey") == true else { return nil }
                return try place(of: rowid, inView: view.name, pages[view.name], store)
            }
        }
    }

    private func place(of rowid: Int64, inView view: String, _ pages: ViewPageList?, _ store: Store) throws
        -> ViewPlace?
    {
        let found = try store.first(
            """
            SELECT p."pageKey", p."group", p.rowid FROM \("view_\(view)_map".quotedSQL) AS m \
            JOIN \("view_\(view)_page".quotedSQL) AS p ON p."pageKey" = m."pageKey" WHERE m.rowid = ?
            """, bind: { try $0.bind(rowid, at: 1) },
            read: { ($0.text(at: 0) ?? "", $0.text(at: 1) ?? "", $0.int64(at: 2)) })
        guard let (pageKey, group, page) = found else { return nil }
        let bytes = try store.handle.bytes(
            table: "view_\(view)_page", column: "data", rowid: page, offset: 0, count: Self.valueBytes)
        let place = bytes.withUnsafeBytes { bytes in
            (0..<bytes.count / 8).first {
                Int64(littleEndian: bytes.loadUnaligned(fromByteOffset: $0 * 8, as: Int64.self)) == rowid
            }
        }
        guard let place else { return nil }
        let start = pages?.group(group).flatMap { group in
            group.pages.firstIndex(of: page).map { $0 == 0 ? 0 : group.ends[$0 - 1] }
        }
        return ViewPlace(
            view: view, group: group, pageKey: pageKey, placeInPage: place, placeInGroup: start.map { $0 + place })
    }
}
