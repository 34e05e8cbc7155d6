import FileEngine
import ViewPageKeys

/// The SQL of a view's statements, with its tables' names. Kept for each view, because building the text costs more than
/// running some of the statements.
final class ViewSQL {
    let rows: String
    let rowsAt: String
    let insertPage: String
    let setRows: String
    let setRowsAt: String
    let setPreviousPage: String
    let removePage: String
    let pageKey: String
    let pageKeysFrom: String
    let setPageKey: String
    let appendPageKey: String
    let greatestRowid: String
    let removePageKey: String

    /// - Parameters: the quoted names of the tables.
    init(pages: String, map: String) {
        rows = #"SELECT "data", rowid FROM \#(pages) WHERE "pageKey" = ?"#
        // The plus signs keep SQLite from searching by the key instead of comparing it.
        rowsAt = #"SELECT "data", rowid FROM \#(pages) WHERE +"pageKey" = ? AND rowid = ?"#
        insertPage =
            #"INSERT INTO \#(pages) ("pageKey", "group", "prevPageKey", "count", "data") VALUES (?, ?, ?, ?, ?)"#
        setRows = #"UPDATE \#(pages) SET "count" = ?, "data" = ? WHERE "pageKey" = ?"#
        setRowsAt = #"UPDATE \#(pages) SET "count" = ?, "data" = ? WHERE +"pageKey" = ? AND rowid = ?"#
        setPreviousPage = #"UPDATE \#(pages) SET "prevPageKey" = ? WHERE "pageKey" = ?"#
        removePage = #"DELETE FROM \#(pages) WHERE "pageKey" = ?"#
        pageKey = #"SELECT "pageKey" FROM \#(map) WHERE "rowid" = ?"#
        pageKeysFrom = #"SELECT "rowid", "pageKey" FROM \#(map) WHERE "rowid" >= ? ORDER BY "rowid""#
        setPageKey = #"INSERT OR REPLACE INTO \#(map) ("rowid", "pageKey") VALUES (?, ?)"#
        appendPageKey = #"INSERT INTO \#(map) ("pageKey") VALUES (?)"#
        greatestRowid = #"SELECT max("rowid") FROM \#(map)"#
        removePageKey = #"DELETE FROM \#(map) WHERE "rowid" = ?"#
    }
}

/// The SQL of the views that a handle has used so far, by name, and that of the view that was used last.
final class KnownViewSQL {
    var all: [String: ViewSQL] = [:]
    var last: (view: String, sql: ViewSQL)?
}
