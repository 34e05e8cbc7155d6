import Foundation
import TestSupport
import Testing

@testable import Browser

/// Tasks of a person with a damaged database file: see ``TaskTests``.
@MainActor @Suite struct DamageTaskTests {
    /// The other rows are shown, and what is met of the damage names the command that looks at all of it.
    @Test(arguments: ["leaf", "cut", "inner", "small values"]) func tasks18To20TheOtherRowsAreShownIn0Keys(
        damage: String
    )
        throws
    {
        try withDamaged(damage) { path, keys in
            let scene = try BrowserScene(path, height: 40)
            #expect(scene.text.contains("book-000  683240") && scene.text.contains("rows"), "\(scene.text)")
            #expect(scene.keys == 0)
            if namesTheCommand(scene) { return }
            let snapshot = scene.screen.file.snapshot
            let lost = try #require(try keys.first { try snapshot.row($0.rowid).error != nil })
            scene.press(.enter)
            scene.type(":\(lost.key)")
            scene.press(.enter)
            #expect(namesTheCommand(scene), "\(scene.text)")
        }
    }

    /// Without the root of their table no row can be reached on the screen: each says so, with the command.
    @Test func task20WithoutTheRootOfTheRowsTheCommandIsNamedIn0Keys() throws {
        try withDamaged("root") { path, _ in
            let scene = try BrowserScene(path, height: 40)
            #expect(scene.text.contains("481 rows") && scene.text.contains("yap check"), "\(scene.text)")
            #expect(scene.keys == 0)
        }
    }

    /// Whether a pane, or the line below, names the command that looks at all of the file, or the one that saves its rows. Panes wrap it.
    private func namesTheCommand(_ scene: BrowserScene) -> Bool {
        let panes = scene.lines.map { $0.split(separator: "│", omittingEmptySubsequences: false) }
        return (0..<3).contains { number in
            let pane = panes.compactMap { number < $0.count ? $0[number] : nil }
            let words = pane.flatMap { $0.split { " ▌▐".contains($0) } }.joined(separator: " ")
            return words.contains("`yap check`") || words.contains("`yap repair`")
        }
    }

    private func withDamaged(_ damage: String, _ body: (String, [(rowid: Int64, key: String)]) throws -> Void) throws {
        try withFile("books") { path in
            let rowids = try query(path, "SELECT rowid FROM database2 ORDER BY rowid").compactMap { Int64($0) }
            let keys = try query(path, "SELECT key FROM database2 ORDER BY rowid")
            var bytes = Array(try Data(contentsOf: URL(filePath: path)))
            let place = try self.page(damage, bytes, path) * 4_096
            if damage == "cut" {
                bytes.removeSubrange(place...)
            } else {
                bytes.replaceSubrange(place..<place + 4_096, with: repeatElement(0, count: 4_096))
            }
            try Data(bytes).write(to: URL(filePath: path))
            try body(path, Array(zip(rowids, keys)))
        }
    }

    /// The page to overwrite, or from which on the file is cut.
    private func page(_ damage: String, _ bytes: [UInt8], _ path: String) throws -> Int {
        func pages(_ kind: UInt8) -> [Int] { (1..<bytes.count / 4_096).filter { bytes[$0 * 4_096] == kind } }
        func root(_ name: String) throws -> Int {
            Int(try query(path, "SELECT rootpage FROM sqlite_master WHERE name = '\(name)'")[0])! - 1
        }
        return switch damage {
        case "leaf": pages(13)[pages(13).count / 2]
        case "cut": bytes.count / 4_096 - 3
        // A page of numbers between the root of a table and its leaves, or the root where there is none.
        case "inner": try pages(5).first { try $0 != root("database2") } ?? root("true_primary_key")
        case "root": try root("database2")
        default: try root("yap2")
        }
    }
}
