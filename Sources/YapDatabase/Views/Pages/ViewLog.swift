import FileEngine
import ListChanges
import ViewPageKeys

/// What a view did in one commit.
struct ViewLog: ExtensionLog {
    let operations: OperationLog
    /// Whether operations are missing. Then a list that shows the view must be reloaded.
    var isIncomplete = false
    /// Operations of earlier commits that were only in memory until this commit stored them.
    var storedBefore = OperationLog.empty
    /// Whether the result of the operations is in the file.
    var isStored = true
    /// Whether other rows than before may be left out because they cannot be decoded.
    var changesProblems = true
    /// The pages of the file that were written, linked to another page, or removed; nil if it is not known which.
    var pages: [PageName]?

    /// The bytes that the log takes in memory, about: its operations, and their share of the list of keys. The texts of these are the commit's.
    var size: Int { (OperationLog.bytesOfOperation + 24) * operations.count + 16 * (pages?.count ?? 0) }
}

extension ViewLog {
    func names(only isOne: ((RowKey) -> Bool)?, afterAllWereRemoved allWereRemoved: Bool) -> Bool {
        guard !isIncomplete else { return false }
        guard let isOne else { return true }
        return operations.allSatisfy { operation in
            switch operation {
            case .insertSection, .deleteSection: true
            case .resetSection: allWereRemoved
            case .deleteRow(_, _, let key): allWereRemoved || isOne(key)
            case .insertRow(_, _, let key), .updateRow(_, _, let key, _): isOne(key)
            }
        }
    }
}

extension ViewPages {
    /// The log of this transaction; nil if the view did not change.
    var commitLog: ViewLog? {
        guard !log.isEmpty || isUnlogged || storesEarlierEdits || isMadeAgain else { return nil }
        let isIncomplete = isUnlogged || storesEarlierEdits && earlier?.isUnlogged == true
        return ViewLog(
            operations: isIncomplete ? .empty : log, isIncomplete: isIncomplete,
            storedBefore: storesEarlierEdits && !isIncomplete ? earlier?.log ?? .empty : .empty,
            isStored: !isPersistent || state.unstored == nil, pages: changedPages)
    }

    /// The pages that this transaction changes in the file; nil if these may be all pages, or if a page has a name that a log cannot contain.
    private var changedPages: [PageName]? {
        guard isPersistent, !isCleared, !isUnlogged, openPages.values.allSatisfy(\.pageKey.isUUID),
            droppedPages.values.allSatisfy({ PageKey($0).isUUID })
        else { return nil }
        if droppedPages.isEmpty, relinkedPages.isEmpty { return Array(openPages.keys) }
        // The names of relinked pages need no check: these pages are in the file already.
        return Array(Set(openPages.keys).union(droppedPages.keys).union(relinkedPages))
    }
}

extension ViewState {
    /// Whether the operations lead from the row counts of `before` to the counts of this state, and the groups that no operation names have the
    /// same counts in both. O(k + groups) for k operations.
    func isReached(from before: any ExtensionState, by logs: [any ExtensionLog]) -> Bool {
        guard let before = before as? ViewState,
            !logs.contains(where: { ($0 as? ViewLog)?.isIncomplete ?? false })
        else { return true }
        var counts = ExactDictionary<Int>()
        for operation in logs.lazy.flatMap({ ($0 as? ViewLog)?.operations ?? .empty }) {
            let count = counts[operation.group] ?? before.count(inGroup: operation.group)
            guard let next = operation.count(from: count) else { return false }
            counts[operation.group] = next
        }
        guard counts.allSatisfy({ count(inGroup: $0.key) == $0.value }) else { return false }
        return hasCounts(of: before, besides: counts) && before.hasCounts(of: self, besides: counts)
    }

    /// Whether each group of another state, except the groups in `named`, has as many rows in this state.
    private func hasCounts(of other: ViewState, besides named: ExactDictionary<Int>) -> Bool {
        var isSame = true
        other.groups.forEach { group, list in
            isSame = named[group] != nil || count(inGroup: group) == list.weight
            return isSame
        }
        return isSame
    }
}

extension ViewState {
    /// How many edits of a record a follower compares with the file, at a few microseconds each.
    private static let placesToCompare = 4

    func hasRows(of log: any ExtensionLog, name: String, in store: Store) throws -> Bool {
        guard let log = log as? ViewLog, !log.isIncomplete, !isUnstored else { return true }
        do {
            return try hasRows(atLastPlacesOf: log.operations, limit: Self.placesToCompare, of: name, in: store)
        } catch let error as YapDatabaseError where error.code == .corrupt {
            // The state was made from the pages that the record names. A wrong record leads to pages that do not fit, which is no damage of
            // the file.
            try store.checkTransaction()
            return false
        }
    }

    /// Whether the last `limit` edits put their rows where this state has them. O(k²) for k = `limit`, and a read of the page and of the key for
    /// each row.
    func hasRows(
        atLastPlacesOf operations: some BidirectionalCollection<RawOperation>, limit: Int, of view: String,
        in store: Store
    ) throws -> Bool {
        guard let places = operations.suffix(limit).lastPlaces() else { return false }
        for place in places {
            guard let found = groups[place.group]?.pages.element(atWeight: place.index) else { return false }
            let page = found.value
            let rows = try page.content.rows(cache: nil) { record, _ in
                try store.rows(ofPage: page.content.pageKey, at: record, count: page.count, view: view)
            }
            guard rows.indices.contains(found.offset), try store.key(forRowid: rows[found.offset]) == place.key else {
                return false
            }
        }
        return true
    }
}

extension Sequence<RawOperation> {
    /// Returns where the inserted and updated rows are after all edits; nil if the edits contradict each other about the row of a place.
    fileprivate func lastPlaces() -> [(group: String, index: Int, key: RowKey)]? {
        var places: [(group: String, index: Int, key: RowKey)] = []
        for operation in self {
            let isSame = { (group: String) in group.hasSameBytes(as: operation.group) }
            switch operation {
            case .insertRow(let group, let index, let key):
                for place in places.indices where isSame(places[place].group) && places[place].index >= index {
                    places[place].index += 1
                }
                places.append((group, index, key))
            case .deleteRow(_, let index, let key):
                if let place = places.firstIndex(where: { isSame($0.group) && $0.index == index }) {
                    guard places[place].key == key else { return nil }
                    places.remove(at: place)
                }
                for place in places.indices where isSame(places[place].group) && places[place].index > index {
                    places[place].index -= 1
                }
            case .updateRow(let group, let index, let key, _):
                guard let place = places.first(where: { isSame($0.group) && $0.index == index }) else {
                    places.append((group, index, key))
                    continue
                }
                guard place.key == key else { return nil }
            case .resetSection: places.removeAll { isSame($0.group) }
            case .insertSection, .deleteSection: break
            }
        }
        return places
    }
}

extension RawOperation {
    /// Returns the number of rows of the group after the operation; nil if the operation is impossible in a group of `before` rows.
    fileprivate func count(from before: Int) -> Int? {
        switch self {
        case .insertRow(_, let index, _): index <= before ? before + 1 : nil
        case .deleteRow(_, let index, _): index < before ? before - 1 : nil
        case .updateRow(_, let index, _, _): index < before ? before : nil
        case .resetSection: 0
        case .insertSection, .deleteSection: before
        }
    }
}

extension ViewLog {
    var bytes: [UInt8]? {
        var writer = ByteWriter()
        writer.write(storedBefore.count + operations.count + (isIncomplete ? 1 : 0))
        if isIncomplete { writer.write(6, "") }
        for operation in [storedBefore, operations].joined() {
            switch operation {
            case .insertSection(let group): writer.write(0, group)
            case .deleteSection(let group): writer.write(1, group)
            case .resetSection(let group): writer.write(2, group)
            case .insertRow(let group, let index, let key): writer.write(3, group, index, key)
            case .deleteRow(let group, let index, let key): writer.write(4, group, index, key)
            case .updateRow(let group, let index, let key, let flags):
                writer.write(5, group, index, key)
                writer.write(flags.rawValue)
            }
        }
        // Earlier releases read no further.
        if let pages { writer.write(pages.flatMap(\.bytes)) }
        return writer.bytes
    }

    /// Nil when the bytes are no valid log.
    init?(_ bytes: ArraySlice<UInt8>) {
        var reader = ByteReader(bytes)
        guard let count = reader.count() else { return nil }
        let operations = OperationLog()
        for _ in 0..<count {
            guard let kind = reader.int(), let group = reader.text() else { return nil }
            switch kind {
            case 0: operations.append(.insertSection(group: group))
            case 1: operations.append(.deleteSection(group: group))
            case 2: operations.append(.resetSection(group: group))
            case 6: isIncomplete = true
            case 3...5:
                guard let index = reader.index(), let collection = reader.text(), let name = reader.text() else {
                    return nil
                }
                let key = RowKey(collection: collection, key: name)
                if kind == 3 { operations.append(.insertRow(group: group, index: index, key: key)) }
                if kind == 4 { operations.append(.deleteRow(group: group, index: index, key: key)) }
                if kind == 5 {
                    guard let flags = reader.int() else { return nil }
                    operations.append(
                        .updateRow(group: group, index: index, key: key, flags: ChangeFlags(rawValue: flags)))
                }
            default: return nil
            }
        }
        self.operations = operations
        if let names = reader.data(), reader.isAtEnd { pages = PageName.names(names) }
    }
}

extension PageName {
    fileprivate var bytes: [UInt8] {
        [high, low].flatMap { word in (0..<8).map { UInt8(truncatingIfNeeded: word >> (56 - 8 * $0)) } }
    }

    /// Nil if the bytes are not those of names.
    fileprivate static func names(_ bytes: ArraySlice<UInt8>) -> [PageName]? {
        guard bytes.count.isMultiple(of: 16) else { return nil }
        func word(_ bytes: ArraySlice<UInt8>) -> UInt64 { bytes.reduce(0) { $0 << 8 | UInt64($1) } }
        return stride(from: bytes.startIndex, to: bytes.endIndex, by: 16).map {
            PageName(high: word(bytes[$0..<$0 + 8]), low: word(bytes[$0 + 8..<$0 + 16]))
        }
    }
}

extension ByteWriter {
    fileprivate mutating func write(_ kind: Int, _ group: String) {
        write(kind)
        write(group)
    }

    fileprivate mutating func write(_ kind: Int, _ group: String, _ index: Int, _ key: RowKey) {
        write(kind, group)
        write(index)
        write(key.collection)
        write(key.key)
    }
}
