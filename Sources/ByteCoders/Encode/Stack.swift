/// Plain values that grow at the end. A value of a pointer: its owner calls `free()`.
///
/// The writers use it in place of an array, which checks with each value whether it has one owner: a third of the instructions of a small
/// value's encoding.
struct Stack<Element: BitwiseCopyable> {
    private(set) var values: UnsafeMutablePointer<Element>
    private(set) var count = 0
    private var capacity: Int

    init(capacity: Int) {
        self.capacity = capacity
        values = .allocate(capacity: capacity)
    }

    func free() { values.deallocate() }

    /// Bytes of memory that it keeps.
    var size: Int { capacity * MemoryLayout<Element>.stride }

    var all: UnsafeBufferPointer<Element> { UnsafeBufferPointer(start: values, count: count) }

    @inline(__always) mutating func append(_ value: Element) {
        if count == capacity { grow(1) }
        (values + count).initialize(to: value)
        count += 1
    }

    /// Appends values that are set later, and returns where they begin.
    @inline(__always) mutating func append(places: Int) -> UnsafeMutablePointer<Element> {
        if count + places > capacity { grow(places) }
        defer { count += places }
        return values + count
    }

    /// Removes all values from a place on.
    @inline(__always) mutating func cut(at place: Int) {
        assert(0...count ~= place)
        count = place
    }

    private mutating func grow(_ more: Int) {
        capacity = max(2 * capacity, count + more)
        let larger = UnsafeMutablePointer<Element>.allocate(capacity: capacity)
        larger.update(from: values, count: count)
        values.deallocate()
        values = larger
    }
}
