/// A number to sort by and an index of what has it.
typealias IndexedNumber = (number: UInt64, index: Int32)

extension [IndexedNumber] {
    /// Few elements are sorted by comparisons: to clear the counters would cost more.
    private static let leastCount = 512
    private static let bits = 11

    /// Sorts the elements by their numbers; equal ones keep their order. O(n) for each eleven bits in which the numbers differ. Takes the
    /// memory of another array. 100,000 elements take 2.1 to 2.6 ms, with the standard library's sort 7.6; a list of so many rows sorts twice.
    mutating func radixSort() {
        guard count >= Self.leastCount else { return self = stablySorted { $0.number < $1.number } }
        let (least, greatest) = reduce((UInt64.max, UInt64.min)) {
            (Swift.min($0.0, $1.number), Swift.max($0.1, $1.number))
        }
        if least == greatest { return }
        var spare = self
        var shift: UInt64 = 0
        while shift < 64, (greatest - least) >> shift > 0 {
            distribute(into: &spare, less: least, shift)
            swap(&self, &spare)
            shift += UInt64(Self.bits)
        }
    }

    /// Puts the elements in the order of eleven bits of what their numbers exceed the least one by.
    private func distribute(into target: inout [IndexedNumber], less least: UInt64, _ shift: UInt64) {
        let mask = UInt64(1) << UInt64(Self.bits) - 1
        withUnsafeBufferPointer { source in
            target.withUnsafeMutableBufferPointer { target in
                withUnsafeTemporaryAllocation(of: Int32.self, capacity: 1 << Self.bits) { places in
                    places.initialize(repeating: 0)
                    for element in source { places[Int((element.number &- least) >> shift & mask)] &+= 1 }
                    var place: Int32 = 0
                    for digit in places.indices { (places[digit], place) = (place, place &+ places[digit]) }
                    for element in source {
                        let digit = Int((element.number &- least) >> shift & mask)
                        target[Int(places[digit])] = element
                        places[digit] &+= 1
                    }
                }
            }
        }
    }
}
