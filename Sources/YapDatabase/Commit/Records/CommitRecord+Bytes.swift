import ListChanges

extension CommitRecord {
    var bytes: [UInt8] {
        var writer = ByteWriter()
        for mark in [before, after] {
            writer.write(mark.number)
            writer.write(mark.change.map { Int($0) + 1 } ?? 0)
        }
        writer.write(isIncomplete ? 1 : 0)
        changes.write(to: &writer)
        writer.write(logs.count)
        for (name, log) in logs {
            writer.write(name)
            log.write(to: &writer)
        }
        return writer.bytes
    }

    /// Nil when the bytes make no sense.
    init?(_ bytes: ArraySlice<UInt8>) {
        var reader = ByteReader(bytes)
        guard let before = Self.mark(&reader), let after = Self.mark(&reader), let incomplete = reader.int(),
            let changes = RowChanges(&reader), let count = reader.count()
        else { return nil }
        var logs: [String: ViewLog] = [:]
        for _ in 0..<count {
            guard let name = reader.text(), let log = ViewLog(&reader) else { return nil }
            logs[name] = log
        }
        self.init(before: before, after: after, changes: changes, logs: logs, isIncomplete: incomplete != 0)
    }

    private static func mark(_ reader: inout ByteReader) -> Snapshot.Mark? {
        guard let number = reader.int(), let change = reader.int() else { return nil }
        return Snapshot.Mark(number: number, change: change == 0 ? nil : UInt32(truncatingIfNeeded: change &- 1))
    }
}

extension RowChanges {
    fileprivate func write(to writer: inout ByteWriter) {
        writer.write(isAllCleared ? 1 : 0)
        writer.write(clearedCollections.count)
        for collection in clearedCollections { writer.write(collection.text) }
        writer.write(rows.count)
        for (collection, kinds) in rows {
            writer.write(collection.text)
            writer.write(kinds.count)
            for (key, kind) in kinds {
                writer.write(key.text)
                writer.write(Int(kind.rawValue))
            }
        }
    }

    fileprivate init?(_ reader: inout ByteReader) {
        self.init()
        guard let isAllCleared = reader.int(), let cleared = reader.count() else { return nil }
        if isAllCleared != 0 { clearAll() }
        for _ in 0..<cleared {
            guard let collection = reader.text() else { return nil }
            clear(collection)
        }
        guard let collections = reader.count() else { return nil }
        for _ in 0..<collections {
            guard let collection = reader.text(), let keys = reader.count() else { return nil }
            for _ in 0..<keys {
                guard let key = reader.text(), let kind = reader.int() else { return nil }
                insert(Kind(rawValue: UInt8(truncatingIfNeeded: kind)), for: RowKey(collection: collection, key: key))
            }
        }
    }
}

extension ViewLog {
    fileprivate func write(to writer: inout ByteWriter) {
        writer.write(operations.count)
        for operation in operations {
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
    }

    fileprivate init?(_ reader: inout ByteReader) {
        guard let count = reader.count() else { return nil }
        operations = []
        for _ in 0..<count {
            guard let kind = reader.int(), let group = reader.text() else { return nil }
            switch kind {
            case 0: operations.append(.insertSection(group: group))
            case 1: operations.append(.deleteSection(group: group))
            case 2: operations.append(.resetSection(group: group))
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
