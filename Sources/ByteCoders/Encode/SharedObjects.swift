import Foundation

/// The short ASCII texts of a property list that is being written, so that equal ones become one object. An open hash table;
/// emptied in O(1).
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

    private var entries = [Entry](repeating: Entry(), count: 64)
    private var generation: UInt32 = 1
    private var used = 0

    mutating func removeAll() {
        used = 0
        // Every entry is taken for an old one. When the numbers are used up, all are really removed.
        if generation == .max || entries.count > 4_096 {
            entries = [Entry](repeating: Entry(), count: 64)
            generation = 0
        }
        generation += 1
    }

    /// The place of the text, or the one where it may be inserted.
    func place(of text: UnsafeRawBufferPointer, _ hash: UInt64, in buffer: UnsafeRawBufferPointer) -> Int {
        let mask = entries.count - 1
        var place = Int(truncatingIfNeeded: hash) & mask
        // Ends, because the table is never full.
        while entries[place].generation == generation {
            let entry = entries[place]
            if entry.hash == hash, entry.count == text.count, let start = text.baseAddress,
                let known = buffer.baseAddress,
                memcmp(start, known + entry.start, text.count) == 0
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

    mutating func insert(_ object: Int32, _ hash: UInt64, _ start: Int, _ count: Int, at place: Int) {
        entries[place] = Entry(generation: generation, object: object, hash: hash, start: start, count: count)
        used += 1
        if 2 * used > entries.count { grow() }
    }

    private mutating func grow() {
        let old = entries.filter { $0.generation == generation }
        entries = [Entry](repeating: Entry(), count: 2 * entries.count)
        let mask = entries.count - 1
        for entry in old {
            var place = Int(truncatingIfNeeded: entry.hash) & mask
            while entries[place].generation == generation { place = (place + 1) & mask }
            entries[place] = entry
        }
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
