extension Array {
    /// Returns the elements sorted by a merge sort. The standard library's sort promises neither to keep equal elements
    /// in order nor what it does if the order contradicts itself. O(n log n) comparisons, O(n) if the elements are
    /// already in order.
    func stablySorted(by precedes: (Element, Element) throws -> Bool) rethrows -> [Element] {
        var source = self
        var target = self
        var width = 1
        while width < count {
            for start in stride(from: 0, to: count, by: 2 * width) {
                let (middle, end) = (Swift.min(start + width, count), Swift.min(start + 2 * width, count))
                try Self.merge(source, start, middle, end, &target, precedes)
            }
            swap(&source, &target)
            width *= 2
        }
        return source
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
