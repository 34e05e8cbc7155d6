import Foundation
import ListChanges
import Testing

@testable import TableModel

/// The law on screen: after the animation of any change-set, the screen equals that of a table that has only ever seen
/// the rows after it.
@Suite struct ScreenLawTests {
    @Test(arguments: 0..<8) func thousandsOfRandomSteps(part: Int) {
        _ = FuzzRun(seed: 20_261_120 + UInt64(part)).run(steps: Effort.cases(2500))
    }

    /// Part of `./run fuzz`: a million steps together, and more until the time is over, with other seeds.
    @Test(.enabled(if: ProcessInfo.processInfo.environment["YAP_FUZZ_SECONDS"] != nil), arguments: 0..<4)
    func aMillionRandomStepsInTheFuzz(part: Int) {
        let seconds = Double(ProcessInfo.processInfo.environment["YAP_FUZZ_SECONDS"] ?? "") ?? 0
        let start = Date()
        let first = UInt64(start.timeIntervalSince1970) * 4 + UInt64(part)
        var runs = 0
        while runs < 100 || Date().timeIntervalSince(start) < seconds {
            guard FuzzRun(seed: first + 4 * UInt64(runs)).run(steps: 2500) else { return }
            runs += 1
        }
        print("the law on screen held for \(runs * 2500) steps from seed \(first)")
    }
}

/// One seeded run: random rows, change-sets, commands, sizes and waits.
private struct FuzzRun {
    let seed: UInt64

    /// Returns whether the law held.
    func run(steps: Int) -> Bool {
        var random = SplitMix64(seed: seed)
        var screen = newScreen(&random)
        for step in 0..<steps {
            if step % 250 == 249 { screen = newScreen(&random) }
            let before = screen
            let problem = self.step(&screen, &random)
            guard let problem else { continue }
            Issue.record("seed \(seed), step \(step): \(problem)\n\(Self.story(before, screen))")
            return false
        }
        return true
    }

    private func newScreen(_ random: inout SplitMix64) -> Screen {
        let follows: [Edges] = [.end, .start, .both, []]
        let motions: [MotionLevel] = [.full, .full, .full, .reduced, .none]
        let options = TableOptions(
            motion: motions[random.below(5)], opensAt: random.percent(50) ? .start : .end,
            follows: follows[random.below(4)], hasScrollBar: random.percent(50))
        return Screen(
            .random(using: &random, hasHeaders: random.percent(60)), width: 12, height: 3 + random.below(6), options)
    }

    /// Takes one random step and returns the error after it, or nil.
    private func step(_ screen: inout Screen, _ random: inout SplitMix64) -> String? {
        if random.percent(30) { screen.perform(.random(using: &random)) }
        if random.percent(2) {
            screen.resize(width: random.percent(80) ? 12 : 14, height: 2 + random.below(8))
        }
        let before = screen
        if random.percent(3) { screen.reload() }
        let after = screen.rows.mutated(using: &random)
        if let misfit = screen.change(to: after, sectionsSpeakForTheirRows: random.percent(50)) { return "\(misfit)" }
        if let problem = screen.brokenPromise(since: before) { return problem }
        screen.time += Double(random.below(300)) / 1000
        _ = screen.frame()
        return screen.lawBroken()
    }

    private static func story(_ before: Screen, _ after: Screen) -> String {
        var resting = after
        resting.wait()
        return """
            before: \(before.rows.sections.map { "\($0.title): \($0.rows.map { "\($0.key)/\($0.height)" })" })
            after: \(after.rows.sections.map { "\($0.title): \($0.rows.map { "\($0.key)/\($0.height)" })" })
            changes: \(before.rows.changes(to: after.rows))
            scroll: \(before.table.scroll) -> \(after.table.scroll)
            options: \(after.table.options)
            was \(before.lines(after: 5000))
            is \(resting.lines())
            should be \(resting.drawnAfresh().lines)
            """
    }
}

extension TableCommand {
    fileprivate static func random(using random: inout SplitMix64) -> TableCommand {
        switch random.below(12) {
        case 0: .selectNext(1 + random.below(3))
        case 1: .selectPrevious(1 + random.below(3))
        case 2: .pageDown(1)
        case 3: .pageUp(1)
        case 4: .halfPageDown(1)
        case 5: .halfPageUp(1)
        case 6: .selectFirst
        case 7: .selectLast
        case 8: .center
        case 9: .scroll(lines: random.below(9) - 4)
        case 10: .click(x: 1, y: random.below(6))
        default: .dragScrollBar(y: random.below(6))
        }
    }
}

extension Screen {
    /// Returns the error of the screen at rest, or nil.
    fileprivate func lawBroken() -> String? {
        var resting = self
        resting.wait()
        let grid = resting.frame()
        if knownHeights != seen { return "the heights \(seen) were seen and \(knownHeights) are known" }
        if resting.table.nextFrame(after: resting.time) != nil { return "something never comes to rest" }
        if grid != resting.drawnAfresh() { return "not what is drawn afresh" }
        return resting.differenceFromAllLines()
    }

    /// The heights that the table has stored, by key.
    private var knownHeights: [String: Int] {
        var heights: [String: Int] = [:]
        for (section, content) in rows.sections.enumerated() {
            for (row, value) in content.rows.enumerated() {
                let rank = table.counts.rank(of: RowPath(section: section, row: row))
                heights[value.key] = table.heights.runs.height(of: rank)
            }
        }
        return heights
    }

    /// Compares with the whole list laid out naively.
    private func differenceFromAllLines() -> String? {
        let all = everyLine
        guard let top = table.items.first, let index = all.firstIndex(where: { $0.place == top.place }) else {
            return all.isEmpty ? nil : "nothing is shown of \(all.count) lines"
        }
        let start = index - top.y
        if start > 0, start + table.height > all.count { return "blank lines below, though there are more above" }
        if start < 0 { return "blank lines above" }
        let frame = frame()
        for y in (table.sticky == nil ? 0 : 1)..<table.height {
            let expected = start + y < all.count ? all[start + y].text : ""
            let found = frame.text(ofLine: y).dropFirst().drop { $0 == " " }.prefix { $0 != " " && $0 != "▐" }
            let hasBadge = table.newBelow > 0 && y == table.height - 1
            if found != expected.drop(while: { $0 == " " }).prefix(while: { $0 != " " }), !hasBadge {
                return "line \(y) is '\(found)' and should be '\(expected)'"
            }
        }
        return nil
    }

    private var everyLine: [(place: Place, text: String)] {
        var lines: [(Place, String)] = []
        for (section, content) in rows.sections.enumerated() {
            if rows.hasHeaders { lines.append((.header(section: section), content.title)) }
            for row in content.rows.indices {
                let path = RowPath(section: section, row: row)
                for line in rows.cell(at: path, width: 10).lines { lines.append((.row(path), line.text)) }
            }
        }
        return lines
    }

    /// Returns a forbidden effect of the change-set: a lost selection, or a moved top row.
    fileprivate func brokenPromise(since before: Screen) -> String? {
        if let selected = before.table.selection {
            let isThere = rows.path(of: selected) != nil
            if isThere, table.selection != selected { return "\(selected) is not selected any more" }
            if !isThere, table.selection == selected { return "\(selected) is selected and gone" }
            if !isThere, rows.sections.contains(where: { !$0.rows.isEmpty }), table.selection == nil {
                return "nothing is selected"
            }
        }
        if let path = table.selectedPath, rows.key(at: path) != table.selection { return "the selected path is wrong" }
        guard case .anchored(let anchor) = before.table.scroll, case .anchored = table.scroll,
            let key = anchor.key, let path = rows.path(of: key), stayed(key, since: before), !isHeldByAnEdge
        else { return nil }
        let item = table.items.first { $0.place == .row(path) }
        if let item, anchor.y < 0, item.y == 1 - item.height { return nil }
        if item?.y != anchor.y { return "\(key) was at line \(anchor.y) and is at \(item?.y ?? -99)" }
        let wasResting = before.table.nextFrame(after: time) == nil
        if wasResting, let item, [0.05, 0.12, 0.2].contains(where: { item.y(at: time + $0) != anchor.y }) {
            return "\(key) wanders while the animation runs"
        }
        return nil
    }

    /// Whether the list begins or ends on the screen, where a row may have to move so that no line stays blank.
    private var isHeldByAnEdge: Bool {
        guard let first = table.items.first, let last = table.items.last else { return true }
        let all = everyLine
        return (first.y == 0 && first.place == all.first?.place)
            || (last.bottom <= table.height && last.place == all.last?.place)
    }

    private func stayed(_ key: RowKey, since before: Screen) -> Bool {
        !before.rows.changes(to: rows).rowChanges.contains { $0.key == key && $0.type != .update }
    }
}
