import FileReading
import YapDatabase

/// Does something with a file. An error that says that the file is damaged, or is no database, names the command that saves what is in it.
func namingRepair<Value>(of path: String, _ body: () throws -> Value) throws -> Value {
    do {
        return try body()
    } catch let error as YapDatabaseError {
        throw error.namingRepair(of: path)
    }
}

extension YapDatabaseError {
    /// The error about a damaged file, with the command that copies the rows that are left in it, if there are any.
    func namingRepair(of path: String) -> YapDatabaseError {
        guard [.truncated, .corrupt, .notADatabase].contains(code), SalvagedFile.hasRows(path) else { return self }
        var error = self
        error.message += " Rows are left in it. A copy has them: yap repair --to COPY \(path.shellQuoted)"
        return error
    }
}
