/// Some keys of an order and their places. The rows from one of these keys to the next are a block.
struct KeyAnchors: Sendable {
    private(set) var keys: [StoredText] = []
    private(set) var places: [Int] = []
    /// While incomplete, the rows after the last anchor are not counted.
    var count = RowCount(0, isComplete: false)

    mutating func append(_ key: StoredText, at place: Int) {
        keys.append(key)
        places.append(place)
    }

    /// Returns the last anchor that is not after a place; the beginning has no key.
    func anchor(atOrBefore place: Int) -> (StoredText?, base: Int) { anchor(places.partition { $0 <= place }) }

    func anchor(atOrBefore key: StoredText) -> (StoredText?, base: Int) { anchor(block(of: key)) }

    /// Returns the number of the block that holds a key, or would hold it.
    func block(of key: StoredText) -> Int { keys.partition { !(key < $0) } }

    /// The number of counted blocks. The last block of all is counted if the order is complete.
    var blocks: Int { keys.count + (count.isComplete ? 1 : 0) }

    func rows(inBlock block: Int) -> Int {
        (block < keys.count ? places[block] : count.known) - (block == 0 ? 0 : places[block - 1])
    }

    private func anchor(_ block: Int) -> (StoredText?, base: Int) {
        block == 0 ? (nil, 0) : (keys[block - 1], places[block - 1])
    }
}
