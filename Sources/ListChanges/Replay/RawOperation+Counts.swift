extension Sequence<RawOperation> {
    /// The number of rows of each group after these operations, from those before; a group that is missing is empty.
    ///
    ///     [.insertRow(group: "A", index: 0, key: key)].counts(from: ["A": 2])   // ["A": 3]
    ///
    /// Indexes are not looked at, and a log that takes away more than there is gives a negative count.
    public func counts(from before: [String: Int]) -> [String: Int] {
        reduce(into: before) { counts, operation in
            switch operation {
            case .insertRow(let group, _, _): counts[group, default: 0] += 1
            case .deleteRow(let group, _, _): counts[group, default: 0] -= 1
            case .resetSection(let group): counts[group] = 0
            case .updateRow, .insertSection, .deleteSection: break
            }
        }
    }
}
