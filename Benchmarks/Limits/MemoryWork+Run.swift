import Foundation
import SeededRandom
import YapDatabase

/// The process whose memory is measured: it prints its peak.
extension MemoryWork {
    @MainActor static func run(_ name: String, on file: String, rows: Int) throws {
        guard let work = MemoryWork(rawValue: name) else { throw RawError("There is no work \"\(name)\".") }
        let peak = try withItems(URL(filePath: file)) { database in
            try work.run(in: database, rows: rows)
            return try peakMegabytes()
        }
        print(peak, terminator: "")
    }

    @MainActor private func run(in database: YapDatabase, rows: Int) throws {
        switch self {
        case .populateFields: try ItemList.fields.register(in: database)
        case .populateBlocks:
            try ItemList.blocks.register(in: database)
            try database.unregisterExtension(withName: ItemList.name)
        case .populateFiltered:
            try ItemList.fields.register(in: database)
            let unread = YapDatabaseFilteredView(
                parentViewName: ItemList.name,
                filtering: .withObjectBlock { _, _, _, _, object in !((object as? Item)?.isRead ?? true) },
                versionTag: "1")
            try database.register(unread, withName: "unread")
            try database.unregisterExtension(withName: "unread")
        case .longLived, .longLivedVisited:
            try ItemList.fields.register(in: database)
            try follow(in: database, rows: rows)
        case .longLivedPopulated:
            try database.unregisterExtension(withName: ItemList.name)
            try ItemList.fields.register(in: database)
            resetPeak()
            try follow(in: database, rows: rows)
        }
    }

    /// A list that follows 2,000 commits, each of which moves a row, and reads a page of 50 rows after each.
    @MainActor private func follow(in database: YapDatabase, rows: Int) throws {
        let (writer, reader) = (try database.newConnection(), try database.newConnection())
        try reader.beginLongLivedReadTransaction()
        let mappings = try ItemList.mappings(reader)
        if self == .longLivedVisited { try readAllPages(reader) }
        var random = SplitMix64(seed: 5)
        for move in 0..<2_000 {
            let number = random.below(rows)
            try writer.readWrite {
                try $0.setObject(
                    Item(number, rank: Double(random.next() >> 12)), forKey: Item.key(number),
                    inCollection: Item.collection)
            }
            let commits = try reader.jump()
            keep(try (reader.ext(ItemList.name) as! YapDatabaseViewConnection).outcome(for: commits, with: mappings))
            try reader.read { transaction in
                let group = "group \(move % Item.groups)"
                let list = try transaction[ItemList.list]
                let first = random.below(max(1, rows / Item.groups - 50))
                keep(try list.values(in: group, first..<min(first + 50, rows / Item.groups)))
            }
            if move % 100 == 0 { drainMainQueue() }
        }
    }

    @MainActor private func readAllPages(_ reader: YapDatabaseConnection) throws {
        try reader.read { transaction in
            let view = transaction.ext(ItemList.name) as! YapDatabaseViewTransaction
            for group in view.allGroups() {
                for index in stride(from: 0, to: view.numberOfItems(inGroup: group), by: 45) {
                    keep(try view.rowKey(at: index, inGroup: group))
                }
            }
        }
    }
}

/// From now on the peak is that of what follows.
private func resetPeak() {
    guard let file = fopen("/proc/self/clear_refs", "w") else { return }
    fputs("5", file)
    fclose(file)
}

/// The most memory that the process has had, in MB.
func peakMegabytes() throws -> Double {
    let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
    let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
    return (line?.split(separator: " ").compactMap { Double($0) }.first ?? 0) * 1_024 / 1e6
}
