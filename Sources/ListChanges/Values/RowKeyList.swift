/// The keys of the rows that a transaction changes, in the order in which its views name them first.
///
/// The logs of all views of a transaction name rows by their numbers here: ten views that get the same row share one entry, and a row that
/// waits for its place needs four bytes for its key. Memory: 16 bytes a row that is changed, besides the text.
package final class RowKeyList: @unchecked Sendable {
    // @unchecked: the transaction alone appends, on its own thread. The logs of its commit, which others read, are published when it has ended.

    // Unchecked: no body that changes one of them runs other code.
    @exclusivity(unchecked) private var keys: [String] = []
    /// The collection of the latest keys.
    @exclusivity(unchecked) private var collection = ""
    /// The collections before it, each with the number of the first key behind those that are in it.
    @exclusivity(unchecked) private var earlier: [(end: UInt32, name: String)] = []

    package init() {}

    /// The number of a key. It is entered if it is not the very value that was entered last: views name a row one after the other. A key may be
    /// there several times. O(1).
    package func number(of key: RowKey) -> UInt32 {
        let isSameCollection = collection.hasSameBytes(as: key.collection)
        if isSameCollection, let last = keys.last, last.isSameValue(as: key.key) { return UInt32(keys.count - 1) }
        require(keys.count < UInt32.max, "A transaction changes less than 4,294,967,295 rows.")
        let number = UInt32(keys.count)
        if !isSameCollection {
            if number > 0 { earlier.append((number, collection)) }
            collection = key.collection
        }
        keys.append(key.key)
        return number
    }

    /// O(1) for rows of one collection; O(log k) if the collection changed k times from a row to the next.
    package subscript(number: UInt32) -> RowKey { RowKey(collection: collection(of: number), key: keys[Int(number)]) }

    private func collection(of number: UInt32) -> String {
        if earlier.isEmpty { return collection }
        let place = earlier.indices.partitionPoint { earlier[$0].end > number }
        return place < earlier.count ? earlier[place].name : collection
    }
}
