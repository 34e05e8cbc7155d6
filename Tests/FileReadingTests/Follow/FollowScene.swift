import ListChanges
import Testing

@testable import FileReading

/// Lists of a file with all kinds of ranges, which follow commits of others.
final class FollowScene {
    private let file: BrowsedFile
    private let lists: [BrowsedList]
    private let path: String

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
    }

    /// Advances to the newest commit and checks the changes of each list.
    func expectLaw(_ step: String) throws {
        let before = try lists.map { try Shown($0) }
        let advance = try file.step(lists: zip(lists, before).map { ($0, Array($1.rows.keys)) }).prepare()
        // A commit may have changed nothing.
        guard let advance else { return }
        let outcomes = file.advance(advance, lists: lists)
        for (index, list) in lists.enumerated() {
            let after = try Shown(list)
            let subject = "\(step): \(list.subject)"
            guard let changes = outcomes[index].changeSet else {
                Issue.record("\(subject) was reloaded")
                continue
            }
            let applied = try changes.applying(to: before[index].keys) { after.keys[$0] }
            #expect(applied == after.keys, "\(subject)")
            try expectTruth(list, after, subject)
            let named = Set(changes.rowChanges.compactMap { $0.key?.rowid })
            for (rowid, row) in after.rows where before[index].rows[rowid].map({ $0 != row }) ?? false {
                #expect(named.contains(rowid), "\(subject): row \(rowid) changed and was not named")
            }
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
        var rows: [Int64: BrowsedRow] = [:]

        init(_ list: BrowsedList) throws {
            for (section, group) in list.mappings.visibleGroups.enumerated() {
                var shown = ListSnapshot.Section(group: group, rows: [])
                for row in 0..<list.mappings.numberOfItems(inSection: section) {
                    let path = RowPath(section: section, row: row)
                    shown.rows.append(try list.rowKey(at: path))
                    let content = try #require(try list.row(at: path))
                    rows[content.rowid] = content
                }
                keys.sections.append(shown)
            }
        }
    }
}
