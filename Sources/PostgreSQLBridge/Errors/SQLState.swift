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
    /// `lock_timeout` has passed.
    package static let locked = "55P03"
    package static let readOnly = "25006"
    package static let notSupported = "0A000"
    package static let badSyntax = "42601"
    /// The beginning of the states of statements that the server cannot run as they are.
    package static let badStatement = "42"
    package static let badSetting = "22023"
    /// A setting that cannot be changed in a session.
    package static let fixedSetting = "55P02"
    package static let unique = "23505"
    /// No connection is left for the role, the database or the server.
    package static let noConnectionLeft = "53300"
    /// The server answers, and takes no connection or no change for now.
    package static let notNow: Set = [noConnectionLeft, readOnly]
    /// The schema or the tables are not there.
    package static let noSpace: Set = [noTable, noSchema]
    /// The beginning of the states of values that the server can never take: it does not know the characters, for example.
    package static let badData = "22"
    /// A limit of the server, a constraint or a trigger forbids the rows.
    package static let refusedRows: Set = ["54000", "23502", "23514", "23P01", "P0001"]

    /// What helps where the server's own sentence names the cause alone; nil for states of which the callers say it.
    package static func advice(_ state: String) -> String? {
        switch state {
        case "28000", "28P01": "Check the user, the password and the role's LOGIN, and `pg_hba.conf` of the server."
        case noRight:
            "`yap server grant` gives rights to a space, an administrator of the server CONNECT to the database."
        case "22P05":
            "The database's encoding lacks a character: make the database with ENCODING 'UTF8' TEMPLATE template0."
        case "3D000": "Check the name of the database in the address."
        case "53100": "Free some space on the server's disk and try again."
        case noConnectionLeft:
            "It is tried again. If that lasts, end some of its connections or raise `max_connections`."
        case readOnly:
            "It is a standby, or `default_transaction_read_only` is set: name the server that is written, or unset it for the role and "
                + "the database."
        case locked: "Another connection was in the way for longer than `lock_timeout` of the role allows: try again."
        case cancelled: "An administrator or a time limit of the role ended the statement: try again."
        default: nil
        }
    }
}
