import ListChanges

/// What a cache finds its entries by. Its hash is made in a fraction of the time of `Hasher`: each row that is read or written is looked
/// up several times.
protocol CacheKey: Equatable {
    /// A hash all of whose bits depend on the key, and on a secret of the process.
    var cacheHash: UInt32 { get }
}

extension RowKey: CacheKey {
    var cacheHash: UInt32 { UInt32(truncatingIfNeeded: byteHash) }
}

extension Int64: CacheKey {
    var cacheHash: UInt32 { UInt32(truncatingIfNeeded: byteHash) }
}

/// Finds the slots of a cache by hashes: an open hash table with linear probing, at most half full.
struct SlotTable {
    private struct Entry {
        var hash: UInt32
        /// -1 in an empty place.
        var slot: Int32
    }

    private static let empty = Entry(hash: 0, slot: -1)
    private static let leastCapacity = 16

    /// Their number is a power of two.
    private var entries = ContiguousArray(repeating: empty, count: leastCapacity)
    private var count = 0

    /// Returns the slot of a hash that the function accepts.
    @inline(__always) func slot(_ hash: UInt32, where isWanted: (Int) -> Bool) -> Int? {
        let mask = entries.count - 1
        var place = Int(hash) & mask
        // Ends, because half of the places are empty.
        while true {
            let entry = entries[place]
            if entry.slot < 0 { return nil }
            if entry.hash == hash, isWanted(Int(entry.slot)) { return Int(entry.slot) }
            place = (place + 1) & mask
        }
    }

    /// - Precondition: the table does not have the slot.
    mutating func insert(_ slot: Int, _ hash: UInt32) {
        count += 1
        if 2 * count > entries.count { grow() }
        put(Entry(hash: hash, slot: Int32(slot)))
    }

    /// - Precondition: the table has the slot with this hash.
    mutating func remove(_ slot: Int, _ hash: UInt32) {
        let mask = entries.count - 1
        var gap = Int(hash) & mask
        while Int(entries[gap].slot) != slot {
            precondition(entries[gap].slot >= 0, "A cache lost an entry.")
            gap = (gap + 1) & mask
        }
        // Moves entries back that would not be found behind an empty place.
        var place = (gap + 1) & mask
        while entries[place].slot >= 0 {
            let home = Int(entries[place].hash) & mask
            if (place - home) & mask >= (place - gap) & mask {
                entries[gap] = entries[place]
                gap = place
            }
            place = (place + 1) & mask
        }
        entries[gap] = Self.empty
        count -= 1
    }

    private mutating func put(_ entry: Entry) {
        let mask = entries.count - 1
        var place = Int(entry.hash) & mask
        while entries[place].slot >= 0 { place = (place + 1) & mask }
        entries[place] = entry
    }

    private mutating func grow() {
        let former = entries
        entries = ContiguousArray(repeating: Self.empty, count: 2 * former.count)
        for entry in former where entry.slot >= 0 { put(entry) }
    }
}

/// The used slots of a cache in the order of their last use.
struct RecencyList {
    private struct Links {
        /// -1 at the ends.
        var newer: Int32
        var older: Int32
    }

    private var links: ContiguousArray<Links> = []
    private var free: ContiguousArray<Int32> = []
    private var (first, last): (Int32, Int32) = (-1, -1)

    /// The number of slots in use.
    var count: Int { links.count - free.count }
    var oldest: Int? { last < 0 ? nil : Int(last) }

    /// Returns a slot that was free, which is the newest now. The numbers of slots have no gaps.
    mutating func add() -> Int {
        let slot = free.popLast() ?? Int32(links.count)
        if slot == links.count { links.append(Links(newer: -1, older: -1)) }
        linkAsNewest(slot)
        return Int(slot)
    }

    mutating func makeNewest(_ slot: Int) {
        guard slot != first else { return }
        unlink(Int32(slot))
        linkAsNewest(Int32(slot))
    }

    mutating func remove(_ slot: Int) {
        unlink(Int32(slot))
        free.append(Int32(slot))
    }

    private mutating func linkAsNewest(_ slot: Int32) {
        links[Int(slot)] = Links(newer: -1, older: first)
        if first >= 0 { links[Int(first)].newer = slot } else { last = slot }
        first = slot
    }

    private mutating func unlink(_ slot: Int32) {
        let (newer, older) = (links[Int(slot)].newer, links[Int(slot)].older)
        if newer >= 0 { links[Int(newer)].older = older } else { first = older }
        if older >= 0 { links[Int(older)].newer = newer } else { last = newer }
    }
}
