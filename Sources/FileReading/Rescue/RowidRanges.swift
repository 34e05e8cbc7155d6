/// A set of rowids that are added in ascending order: memory for each gap, none for each rowid.
struct RowidRanges: Sendable {
    private var ranges: [ClosedRange<Int64>] = []
    private(set) var count = 0

    /// - Parameter rowid: greater than all before.
    mutating func append(_ rowid: Int64) {
        count += 1
        if let last = ranges.last, last.upperBound != .max, last.upperBound + 1 == rowid {
            ranges[ranges.count - 1] = last.lowerBound...rowid
        } else {
            ranges.append(rowid...rowid)
        }
    }

    func contains(_ rowid: Int64) -> Bool {
        let place = ranges.partition { $0.upperBound < rowid }
        return place < ranges.count && ranges[place].contains(rowid)
    }
}
