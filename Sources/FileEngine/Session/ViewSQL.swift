/// The SQL of a view's statements, with its tables' names. Kept for each view, because building the text costs more than
/// running some of the statements.
final class ViewSQL {
    package let rows: String
    package let insertPage: String
    package let setRows: String
    package let setPreviousPage: String
    package let removePage: String
    package let pageKey: String
    package let setPageKey: String
    let removePageKey: String

    /// - Parameters: the quoted names of the tables.
    package init(pages: String, map: String) {
        rows = #"SELECT "data" FROM \#(pages) WHERE "pageKey" = ?"#
        insertPage =
            #"INSERT INTO \#(pages) ("pageKey", "group", "prevPageKey", "count", "data") VALUES (?, ?, ?, ?, ?)"#
        setRows = #"UPDATE \#(pages) SET "count" = ?, "data" = ? WHERE "pageKey" = ?"#
        setPreviousPage = #"UPDATE \#(pages) SET "prevPageKey" = ? WHERE "pageKey" = ?"#
        removePage = #"DELETE FROM \#(pages) WHERE "pageKey" = ?"#
        pageKey = #"SELECT "pageKey" FROM \#(map) WHERE "rowid" = ?"#
        setPageKey = #"INSERT OR REPLACE INTO \#(map) ("rowid", "pageKey") VALUES (?, ?)"#
        removePageKey = #"DELETE FROM \#(map) WHERE "rowid" = ?"#
    }
}
