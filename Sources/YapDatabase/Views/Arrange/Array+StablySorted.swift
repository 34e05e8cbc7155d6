extension Array {
    /// Returns the elements sorted by a merge sort. The standard library's sort promises neither to keep equal elements
    /// in order nor what it does if the order contradicts itself.
    ///
    /// O(n log r) comparisons for r runs that are in order already, or in the reverse order: O(n) for one run.
    func stablySorted(by precedes: (Element, Element) throws -> Bool) rethrows -> [Element] {
        if count < 2 { return self }
        var source = self
        var ends = try source.formRuns(precedes)
        var target = source
        while ends.count > 1 {
            var merged: [Int] = []
            merged.reserveCapacity((ends.count + 1) / 2)
            var start = 0
            for run in stride(from: 0, to: ends.count, by: 2) {
                let (middle, end) = (ends[run], ends[Swift.min(run + 1, ends.count - 1)])
                try Self.merge(source, start, middle, end, &target, precedes)
                merged.append(end)
                start = end
            }
            swap(&source, &target)
            ends = merged
        }
        return source
    }

    /// Finds the runs of elements that are in order, and reverses those in which each element precedes the one before.
    /// - Returns: the ends of the runs.
    private mutating func formRuns(_ precedes: (Element, Element) throws -> Bool) rethrows -> [Int] {
        var ends: [Int] = []
        var start = 0
        while start < count {
            var end = start + 1
            if end < count {
                let isFalling = try precedes(self[end], self[start])
                repeat { end += 1 } while try isFalling && end < count && precedes(self[end], self[end - 1])
                if isFalling { self[start..<end].reverse() }
            }
            while try end < count && !precedes(self[end], self[end - 1]) { end += 1 }
            ends.append(end)
            start = end
        }
        return ends
    }

    /// Merges two neighbouring sorted pieces.
    private static func merge(
        _ source: [Element], _ start: Int, _ middle: Int, _ end: Int, _ target: inout [Element],
        _ precedes: (Element, Element) throws -> Bool
    ) rethrows {
        var (left, right) = (start, middle)
        let isInOrder = try middle == end || !precedes(source[middle], source[middle - 1])
        for index in start..<end {
            let takesRight =
                try !isInOrder && right < end && (left == middle || precedes(source[right], source[left]))
                || left == middle
            target[index] = source[takesRight ? right : left]
            if takesRight { right += 1 } else { left += 1 }
        }
    }
}
