import FileReading
import YapDatabase

/// Does something with a file. An error that says that the file is damaged, or is no database, names the command that saves what is in it.
func namingRepair<Value>(of path: String, _ body: () throws -> Value) throws -> Value {
    do {
        return try body()
    } catch var error as YapDatabaseError where [.truncated, .corrupt, .notADatabase].contains(error.code) {
        if SalvagedFile.hasRows(path) {
            error.message += " Rows are left in it. A copy has them: yap repair --to COPY '\(path)'"
        }
        throw error
    }
}
