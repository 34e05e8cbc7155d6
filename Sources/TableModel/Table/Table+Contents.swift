import ListChanges

// What the table shows, which its source may be ahead of.
extension Table {
    /// The number of sections.
    public var numberOfSections: Int { counts.sections }

    /// Returns the number of rows of a section; 0 if there is no such section.
    ///
    /// ```swift
    /// print(table.numberOfRows(in: 0), table.isVisible(RowPath(section: 0, row: 0)))
    /// ```
    public func numberOfRows(in section: Int) -> Int { counts[section] }

    /// Returns whether any line of a row is on the screen when everything is at rest.
    ///
    /// Example: ``numberOfRows(in:)``.
    public func isVisible(_ path: RowPath) -> Bool { items.index(of: .row(path)) != nil }
}
