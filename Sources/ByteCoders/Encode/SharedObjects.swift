import Foundation

/// The short ASCII texts of a property list that is being written, so that equal ones become one object. An open hash table;
/// emptied in O(1). A value of a pointer: its owner calls `free()`.
struct TextTable {
    /// Longer texts are rarely equal.
    static let longest = 64

    private struct Entry {
        var generation: UInt32 = 0
        var object: Int32 = 0
        var hash: UInt64 = 0
        /// Where the bytes are in the buffer.
        var start = 0
        var count = 0
    }

    private static let leastCapacity = 64
    private var entries = makeEntries(leastCapacity)
    private var entryCount = leastCapacity
    private var generation: UInt32 = 1
    private var used = 0

    private static func makeEntries(_ count: Int) -> UnsafeMutablePointer<Entry> {
        let entries = UnsafeMutablePointer<Entry>.allocate(capacity: count)
        entries.initialize(repeating: Entry(), count: count)
        return entries
    }

    func free() { entries.deallocate() }

    mutating func removeAll() {
        used = 0
        // Every entry is taken for an old one. When the numbers are used up, all are really removed.
        if generation == .max || entryCount > 4_096 {
            free()
            self = TextTable()
        } else {
            generation += 1
        }
    }

    /// The place of the text, or the one where it may be inserted.
    func place(of text: ScannedText, in buffer: UnsafeRawBufferPointer) -> Int {
        let mask = entryCount - 1
        var place = Int(truncatingIfNeeded: text.hash) & mask
        // Ends, because the table is never full.
        while entries[place].generation == generation {
            let entry = entries + place
            if entry.pointee.hash == text.hash, entry.pointee.count == text.bytes.count,
                let start = text.bytes.baseAddress, let known = buffer.baseAddress,
                memcmp(start, known + entry.pointee.start, text.bytes.count) == 0
            {
                return place
            }
            place = (place + 1) & mask
        }
        return place
    }

    func object(at place: Int) -> Int32? {
        entries[place].generation == generation ? entries[place].object : nil
    }

    /// - Parameter start: where the text's bytes are in the buffer.
    mutating func insert(_ object: Int32, _ text: ScannedText, at start: Int, _ place: Int) {
        entries[place] = Entry(
            generation: generation, object: object, hash: text.hash, start: start, count: text.bytes.count)
        used += 1
        if 2 * used > entryCount { grow() }
    }

    private mutating func grow() {
        let (old, oldCount) = (entries, entryCount)
        entryCount *= 2
        entries = Self.makeEntries(entryCount)
        let mask = entryCount - 1
        for index in 0..<oldCount where old[index].generation == generation {
            var place = Int(truncatingIfNeeded: old[index].hash) & mask
            while entries[place].generation == generation { place = (place + 1) & mask }
            entries[place] = old[index]
        }
        old.deallocate()
    }
}

/// The objects of the integers 0 to 255 and of the booleans of a list that is being written. Emptied in O(1).
struct SmallNumbers {
    private var objects = [(generation: UInt32, object: Int32)](repeating: (0, 0), count: 258)
    private var generation: UInt32 = 1

    mutating func removeAll() {
        if generation == .max { self = SmallNumbers() }
        generation += 1
    }

    func object(of number: Int) -> Int32? {
        objects[number].generation == generation ? objects[number].object : nil
    }

    mutating func insert(_ object: Int32, of number: Int) { objects[number] = (generation, object) }
}
