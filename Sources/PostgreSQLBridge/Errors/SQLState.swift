/// The SQLSTATE codes by which callers tell errors of the server apart.
package enum SQLState {
    package static let noRight = "42501"
    package static let badLogin = "28000"
    package static let noTable = "42P01"
    package static let noSchema = "3F000"
    package static let noFunction = "42883"
    package static let noObject = "42704"
    package static let objectExists = "42710"
    package static let statementExists = "42P05"
    package static let cancelled = "57014"
    package static let notSupported = "0A000"
    package static let badSyntax = "42601"
    /// The schema or the tables are not there.
    package static let noSpace: Set = [noTable, noSchema]
    /// The beginning of the states of values that the server can never take: it does not know the characters, for example.
    package static let badData = "22"
    /// A limit of the server, a constraint or a trigger forbids the rows.
    package static let refusedRows: Set = ["54000", "23502", "23514", "23P01", "P0001"]
}
