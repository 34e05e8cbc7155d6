import SQLiteBridge

/// A state of the file whose version is known, and by what a reader recognizes it without reading a row.
package struct KnownState: Sendable {
    package let version: FileVersion
    let stamp: LogStamp
}

/// Identifies one committed state of the file.
package struct FileVersion: Hashable, Sendable {
    /// The number of the commit that made the state, as `yap2` stores it. Programs that do not use `yap2` do not increment it.
    package var number: Int
    /// SQLite's change counter, which every commit changes; nil if it could not be read.
    package var change: UInt32?

    package init(number: Int, change: UInt32?) {
        self.number = number
        self.change = change
    }

    /// Whether SQLite's counter is known. Without it, two equal versions may be different states.
    package var isExact: Bool { change != nil }

    /// The version of the commit that a writer makes on top of this state.
    package var next: FileVersion { FileVersion(number: number + 1, change: change.map { $0 &+ 1 }) }

    /// The version after a vacuum of this state, which SQLite counts as a commit and `yap2` does not; nil if the counter is
    /// unknown.
    package var afterVacuum: FileVersion? {
        change == nil ? nil : FileVersion(number: number, change: next.change)
    }

    /// Whether every commit from this version to a later one has a number. A commit without one was made by a program that
    /// does not update extensions, so their content may be outdated.
    package func isNumberedThrough(_ later: FileVersion) -> Bool {
        guard let change, let laterChange = later.change else { return true }
        // A damaged file or record may have any numbers.
        let (difference, isTooLarge) = later.number.subtractingReportingOverflow(number)
        return !isTooLarge && Int(laterChange &- change) == difference
    }
}
