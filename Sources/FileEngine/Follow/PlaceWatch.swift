/// Tells once that an open file was moved, removed or replaced, also a program that only reads. It does not look before something happens
/// to the file's name. A folder above the file that is moved is not seen.
package final class PlaceWatch: Sendable {
    private let entry = Locked<Int?>(nil)

    /// - Parameter tell: called on a queue of the watch, with the error that a write would throw.
    package init(_ file: OpenFile, _ tell: @escaping @Sendable (YapDatabaseError) -> Void) throws {
        let added = try FileWatch.shared().add(nameOf: file.path) { [entry, weak file] in
            do { try file?.checkPlace() } catch {
                // What happens to the new file is of no interest.
                let wasWatched = entry.withLock { entry in
                    defer { FileWatch.end(&entry) }
                    return entry != nil
                }
                if wasWatched, let error = error as? YapDatabaseError { tell(error) }
            }
        }
        entry.withLock { $0 = added }
    }

    deinit { entry.withLock { FileWatch.end(&$0) } }
}
