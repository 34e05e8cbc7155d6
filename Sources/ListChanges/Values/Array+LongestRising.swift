extension Array {
    /// Returns a longest subsequence of elements with increasing values. O(n log n).
    @inlinable package func longestRising(_ value: (Element) -> Int) -> [Element] {
        /// For each length, the element with the least value that ends such a subsequence.
        var ends: [Int] = []
        var previous = [Int?](repeating: nil, count: count)
        let values = map(value)
        for index in indices {
            var (low, high) = (0, ends.count)
            while low < high {
                let middle = (low + high) / 2
                if values[ends[middle]] < values[index] { low = middle + 1 } else { high = middle }
            }
            previous[index] = low > 0 ? ends[low - 1] : nil
            if low == ends.count { ends.append(index) } else { ends[low] = index }
        }
        var run: [Element] = []
        var next = ends.last
        while let index = next {
            run.append(self[index])
            next = previous[index]
        }
        return run.reversed()
    }
}
