/// One row of a view's page table without its `data`, as it is read on load.
package struct PageRecord {
    package var key: String
    package var group: String
    /// The page before this one in its group; nil or `""` for the first.
    package var previous: String?
    package var count: Int

    package init(key: String, group: String, previous: String?, count: Int) {
        self.key = key
        self.group = group
        self.previous = previous
        self.count = count
    }
}
