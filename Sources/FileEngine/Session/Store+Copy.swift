extension Store {
    private static let pagesPerStep = 256

    /// Copies the state that is read into a new file.
    /// - Parameter progress: called with the pages copied and all pages; false ends the copy.
    /// - Returns: false when it was ended.
    package func copy(to path: String, progress: (_ done: Int, _ total: Int) -> Bool) throws -> Bool {
        let copy = try Store(path: path, mode: .create, busyTimeout: 0)
        return try handle.copy(to: copy.handle, pagesPerStep: Self.pagesPerStep, progress: progress)
    }
}
