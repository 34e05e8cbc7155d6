extension Range<Int> {
    /// The first number for which a condition holds that holds for all after it; the upper bound if it holds for none. O(log n).
    package func partitionPoint(where holds: (Int) throws -> Bool) rethrows -> Int {
        var (low, high) = (lowerBound, upperBound)
        while low < high {
            let middle = low + (high - low) / 2
            if try holds(middle) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
