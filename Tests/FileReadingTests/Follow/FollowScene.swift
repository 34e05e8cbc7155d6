import Foundation
import ListChanges
import Testing

@testable import FileReading

/// Lists of a file with all kinds of ranges, which follow commits of others.
final class FollowScene {
    private let file: BrowsedFile
    private let lists: [BrowsedList]
    private let path: String
    /// What the lists show in the state that they are in.
    private var shown: [Shown]

    init(_ path: String, collections: [String], views: [String] = [], _ random: inout SplitMix64) throws {
        self.path = path
        let file = try BrowsedFile(path: path)
        self.file = file
        let catalog = try file.snapshot.catalog()
        var subjects: [ListSubject] = collections.flatMap { name in
            ListSubject.RowOrder.allCases.map { .collection(StoredText(name), by: $0) }
        }
        for view in views { subjects += [.view(view, groups: nil), .view(view, groups: ["group 1", "group 0"])] }
        lists = try subjects.flatMap { subject in
            try [RowSelection(), RowSelection(.last(4)), RowSelection(.first(5), isReversed: true)].map { selection in
                let content = try ListContent(subject, file.snapshot, catalog: catalog, mustExist: false)
                try content.loadAll()
                let list = BrowsedList(content)
                if Bool.random(using: &random) { list.mappings.setIsDynamicSectionForAllGroups(true) }
                selection.apply(to: &list.mappings, groups: content.groups)
                list.refresh()
                return list
            }
        }
        shown = try lists.map { try Shown($0) }
    }

    /// Lets a writer go on as if there were no reader. The state that is shown cannot be read when its log begins again.
    func letGo() { file.snapshot.loosen() }

    /// Advances to the newest commit and checks the changes of each list.
    /// - Parameter mayReload: whether a list may be loaded again.
    /// - Returns: the number of lists whose changes are known.
    @discardableResult
    func expectLaw(_ step: String, mayReload: Bool = false) throws -> Int {
        let before = shown
        let states = lists.map { ($0.content, $0.mappings) }
        let advance = try file.step(lists: zip(lists, before).map { ($0, Array($1.rows.keys)) }).prepare()
        // A commit may have changed nothing.
        guard let advance else { return 0 }
        let outcomes = file.advance(advance, lists: lists)
        shown = try lists.map { try Shown($0) }
        var known = 0
        for (index, list) in lists.enumerated() {
            let after = shown[index]
            let subject = "\(step): \(list.subject)"
            if case .none = outcomes[index] {
                #expect(after.named == before[index].named, "\(subject)")
                continue
            }
            guard var changes = outcomes[index].changeSet else {
                if !mayReload { Issue.record("\(subject) was reloaded") }
                continue
            }
            known += 1
            let applied = try changes.applying(to: before[index].keys) { after.keys[$0] }
            #expect(applied == after.keys, "\(subject)")
            try expectTruth(list, after, subject)
            let named = Set(changes.rowChanges.compactMap { $0.key?.rowid })
            for (rowid, row) in after.rows where before[index].rows[rowid].map({ $0 != row }) ?? false {
                #expect(named.contains(rowid), "\(subject): row \(rowid) changed and was not named")
            }
            let report = ChangeReport(list, before: states[index].0, mappingsBefore: states[index].1)
            try expectKeys(report.lines(outcomes[index]), before[index].named, subject)
            // A rowid may stand for another row now, so the rows are also followed by their own keys.
            for place in changes.rowChanges.indices { changes.rowChanges[place].key = nil }
            let rows = try changes.applying(to: before[index].named) { after.named[$0] }
            #expect(rows == after.named, "\(subject)")
        }
        return known
    }

    /// The line of a removed row says which one it was, also when the state that had it is gone.
    private func expectKeys(_ lines: [[UInt8]], _ before: ListSnapshot, _ subject: String) throws {
        for line in lines {
            let object = try #require(try JSONSerialization.jsonObject(with: Data(line)) as? [String: Any])
            guard object["change"] as? String == "delete" else { continue }
            let from = try #require(object["from"] as? [Int])
            let key = before[RowPath(section: from[0], row: from[1])]
            #expect(
                object["key"] as? String == key?.key && object["collection"] as? String == key?.collection, "\(subject)"
            )
        }
    }

    /// A list opened now must show the same.
    private func expectTruth(_ list: BrowsedList, _ shown: Shown, _ subject: String) throws {
        let fresh = try ListContent(list.subject, file.snapshot, catalog: file.snapshot.catalog(), mustExist: false)
        try fresh.loadAll()
        #expect(fresh.groups == list.content.groups && fresh.counts == list.content.counts, "\(subject)")
        for (section, group) in list.mappings.visibleGroups.enumerated() {
            let source = try #require(fresh.sources[group])
            let all = try file.snapshot.read { try source.rowids(in: 0..<source.count.known, $0) }
            let rows = (0..<list.mappings.numberOfItems(inSection: section)).map { row in
                all[list.mappings.index(forRow: row, inGroup: group)!]
            }
            #expect(rows == shown.keys.sections[section].rows.map { $0.rowid! }, "\(subject)")
        }
    }

    /// The visible content of a list.
    private struct Shown {
        var keys = ListSnapshot()
        /// The same with the collections and keys of the rows.
        var named = ListSnapshot()
        var rows: [Int64: BrowsedRow] = [:]

        init(_ list: BrowsedList) throws {
            for (section, group) in list.mappings.visibleGroups.enumerated() {
                var shown = ListSnapshot.Section(group: group, rows: [])
                var named = shown
                for row in 0..<list.mappings.numberOfItems(inSection: section) {
                    let path = RowPath(section: section, row: row)
                    shown.rows.append(try list.rowKey(at: path))
                    let content = try #require(try list.row(at: path))
                    rows[content.rowid] = content
                    let address = try #require(content.address)
                    named.rows.append(RowKey(collection: address.collection.text, key: address.key.text))
                }
                keys.sections.append(shown)
                self.named.sections.append(named)
            }
            // As one who follows does, while the state can be read.
            try list.content.keepKeys(of: Array(rows.keys))
        }
    }
}
