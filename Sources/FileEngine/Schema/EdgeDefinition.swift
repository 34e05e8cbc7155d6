/// How the table of a relationship is defined, as the original lays it out. Here, because files without a schema get it back, too.
package enum EdgeDefinition {
    package static let columns = """
        "rowid" INTEGER PRIMARY KEY, "name" CHAR NOT NULL, "src" INTEGER NOT NULL, "dst" BLOB NOT NULL, "rules" INTEGER, "manual" INTEGER
        """

    /// The columns that each have an index together with the name.
    package static let indexed = ["src", "dst"]

    package static func table(_ name: String) -> String { "CREATE TABLE \(Store.quoted(name)) (\(columns))" }

    package static func index(_ index: String, on column: String, of table: String) -> String {
        #"CREATE INDEX IF NOT EXISTS \#(Store.quoted(index)) ON \#(Store.quoted(table)) ("\#(column)", "name")"#
    }
}
