extension Sequence<RawOperation> {
    /// Returns the number of rows of each group after these operations, given those before; a missing group is empty.
    ///
    /// ```swift
    /// let log = [RawOperation.insertRow(group: "A", index: 0, key: key)]
    /// let counts = log.counts(from: ["A": 2])   // ["A": 3]
    /// ```
    ///
    /// Ignores indexes. A log that removes more rows than there are gives a negative count.
    public func counts(from before: [String: Int]) -> [String: Int] {
        Dictionary(counts(from: ExactDictionary(before)).map { ($0.key, $0.value) }, uniquingKeysWith: +)
    }

    package func counts(from before: ExactDictionary<Int>) -> ExactDictionary<Int> {
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
