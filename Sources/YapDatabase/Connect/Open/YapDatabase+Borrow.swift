extension YapDatabase {
    /// Runs a background task that has only a weak reference to the database otherwise.
    ///
    /// A program that releases the database meanwhile may open the file again: opening waits for the task.
    package func borrowed(_ body: () throws -> Void) rethrows { try file.borrowing(body) }

    /// The path of the file, the same for every name of it.
    package var path: String { file.path }
}
