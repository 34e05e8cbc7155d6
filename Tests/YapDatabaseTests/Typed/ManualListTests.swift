import Foundation
import ListChanges
import SeededRandom
import TestSupport
import TestTraits
import Testing

@testable import YapDatabase

/// A manual list is the arrays that the program makes of it, and its change-sets lead from one state to the next.
@Suite struct ManualListTests {
    private static let playlist = YapList.manual("playlist", of: Novel.all)

    @Test(arguments: Effort.some([1, 2, 3, 4] as [UInt64])) func aManualListIsItsArrays(seed: UInt64) async throws {
        try await withTemporaryDatabase { database async throws in
            var random = SplitMix64(seed: seed)
            try await database.register(Self.playlist)
            let connection = try database.newConnection()
            var updates = connection.updates(of: Self.playlist, YapShown(groups: ["a", "b"])).makeAsyncIterator()
            var shown = try #require(try await updates.next()).sections
            var (model, stored): ([String: [Int]], [Int: Novel]) = (["a": [], "b": []], [:])
            for step in 0..<Effort.cases(2_000) {
                let context: Comment = "seed \(seed), step \(step)"
                let (before, knew) = (model, stored)
                let edits = (0...random.below(3)).map { _ in
                    (
                        kind: random.below(8), id: random.below(20), group: ["a", "b"][random.below(2)],
                        at: random.below(6)
                    )
                }
                let rollsBack = random.percent(5)
                try await connection.write { [stored, model] transaction throws in
                    var (model, stored) = (model, stored)
                    for edit in edits {
                        let done = try Self.apply(edit, transaction)
                        let expected = Self.apply(edit, &model, &stored, step)
                        #expect(done == expected, "\(edit), \(context)")
                    }
                    if rollsBack { transaction.rollback() }
                }
                if rollsBack { continue }
                for edit in edits { _ = Self.apply(edit, &model, &stored, step) }
                if model != before || model.values.joined().contains(where: { stored[$0] != knew[$0] }) {
                    let update = try #require(try await updates.next(), context)
                    guard case .changes(let changes) = update.outcome else {
                        Issue.record("\(update.outcome), \(context)")
                        return
                    }
                    try changes.apply(to: &shown) { update.sections[$0.section].rows[$0.row] }
                    #expect(shown.map(\.rows) == update.sections.map(\.rows), context)
                }
                let rows = Dictionary(uniqueKeysWithValues: shown.map { ($0.group, $0.rows) })
                for (group, ids) in model {
                    try #require(rows[group] ?? [] == ids.compactMap { stored[$0] }, "\(group), \(context)")
                }
            }
        }
    }

    private typealias Edit = (kind: Int, id: Int, group: String, at: Int)

    private static func apply(_ edit: Edit, _ transaction: YapDatabaseReadWriteTransaction) throws -> Bool {
        let rows = try transaction[playlist]
        switch edit.kind {
        case 0...1:
            try transaction[Novel.all].save(Novel(edit.id, "\(edit.at)"))
            return true
        case 2:
            try transaction[Novel.all].remove(edit.id)
            return true
        case 3: return try rows.append(edit.id, to: edit.group)
        case 4: return try rows.insert(edit.id, at: edit.at, in: edit.group)
        case 5...6: return try rows.move(edit.id, to: edit.at, in: edit.group)
        default: return try rows.remove(edit.id)
        }
    }

    private static func apply(
        _ edit: Edit, _ model: inout [String: [Int]], _ stored: inout [Int: Novel], _ step: Int
    ) -> Bool {
        let group = ["a", "b"].first { model[$0]!.contains(edit.id) }
        func remove() { if let group { model[group]!.removeAll { $0 == edit.id } } }
        switch edit.kind {
        case 0...1: stored[edit.id] = Novel(edit.id, "\(edit.at)")
        case 2:
            stored[edit.id] = nil
            remove()
        case 3, 4:
            let index = edit.kind == 3 ? model[edit.group]!.count : edit.at
            guard stored[edit.id] != nil, group == nil, index <= model[edit.group]!.count else { return false }
            model[edit.group]!.insert(edit.id, at: index)
        case 5...6:
            guard let group else { return false }
            guard edit.at <= model[edit.group]!.count - (group == edit.group ? 1 : 0) else { return false }
            remove()
            model[edit.group]!.insert(edit.id, at: edit.at)
        default:
            if group == nil { return false }
            remove()
        }
        return true
    }
}
