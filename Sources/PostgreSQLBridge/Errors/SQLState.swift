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
    /// The server will never accept these values: they are too large for it, or it does not know the characters.
    package static let badValues: Set = ["54000", "22001", "22023", "22021"]
}
