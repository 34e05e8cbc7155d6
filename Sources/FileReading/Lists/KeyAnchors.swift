/// Some keys of an order and their places: the rows from one to the next are a block.
struct KeyAnchors: Sendable {
    private(set) var keys: [StoredText] = []
    private(set) var places: [Int] = []
    /// Where it is not complete, the rows behind the last anchor are not counted.
    var count = RowCount(0, isComplete: false)

    mutating func append(_ key: StoredText, at place: Int) {
        keys.append(key)
        places.append(place)
    }

    /// The last anchor that is not behind a place; the beginning has no key.
    func anchor(atOrBefore place: Int) -> (StoredText?, base: Int) { anchor(places.partition { $0 <= place }) }

    func anchor(atOrBefore key: StoredText) -> (StoredText?, base: Int) { anchor(block(of: key)) }

    /// The number of the block in which a key is, or would be.
    func block(of key: StoredText) -> Int { keys.partition { !(key < $0) } }

    /// How many blocks are counted. The last one of all is, where the order is.
    var blocks: Int { keys.count + (count.isComplete ? 1 : 0) }

    func rows(inBlock block: Int) -> Int {
        (block < keys.count ? places[block] : count.known) - (block == 0 ? 0 : places[block - 1])
    }

    private func anchor(_ block: Int) -> (StoredText?, base: Int) {
        block == 0 ? (nil, 0) : (keys[block - 1], places[block - 1])
    }
}
