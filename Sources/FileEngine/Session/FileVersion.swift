/// Tells one committed state of the file from every other.
package struct FileVersion: Hashable, Sendable {
    /// The number of the commit that made the state, as `yap2` stores it. Programs that do not use `yap2` do not increment it.
    package var number: Int
    /// SQLite's own counter, which every commit changes; nil where it could not be read.
    var change: UInt32?

    package init(number: Int, change: UInt32?) {
        self.number = number
        self.change = change
    }

    /// Whether SQLite's counter is known: two equal versions without it may be different states.
    package var isExact: Bool { change != nil }

    /// The version of the commit that a writer makes on top of this state.
    package var next: FileVersion { FileVersion(number: number + 1, change: change.map { $0 &+ 1 }) }

    /// The version that a vacuum of this state leaves: SQLite counts it as a commit, `yap2` does not. Nil where it is not known.
    package var afterVacuum: FileVersion? {
        change == nil ? nil : FileVersion(number: number, change: next.change)
    }

    /// Whether this version is the newer of two with the same number.
    package func isNewer(than other: FileVersion) -> Bool {
        guard let change, let otherChange = other.change else { return true }
        return Int32(bitPattern: change &- otherChange) > 0
    }

    /// Whether every commit from this version to a later one was numbered. A commit that was not comes from a program that does
    /// not know extensions, and may have changed rows under them.
    package func isNumberedThrough(_ later: FileVersion) -> Bool {
        guard let change, let laterChange = later.change else { return true }
        return Int(laterChange &- change) == later.number - number
    }
}
