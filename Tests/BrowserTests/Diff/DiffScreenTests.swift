import FileReading
import LiveTable
import SQLiteBridge
import TestSupport
import Testing

@testable import Browser

/// `yap diff` on the screen: a list of changes to walk, to search, to filter and to open.
@MainActor @Suite struct DiffScreenTests {
    @Test func changesAreListedAndOpenedWithTheFieldsOfBothFiles() throws {
        try whereTwoDiffer { scene in
            #expect(scene.text.contains("1 new · 1 gone · 1 changed"))
            #expect(scene.text.contains("117 equal") || scene.text.contains("118 equal"), "\(scene.text)")
            #expect(scene.lines.contains { $0.contains("- k003") } && scene.lines.contains { $0.contains("+ zz") })
            #expect(scene.lines.contains { $0.contains("~ k007") && $0.contains("added nothing → 5") })
            #expect(scene.text.contains("change 1 · "), "\(scene.text)")
            scene.type("j")
            #expect(scene.text.contains("change 2 · "))
            scene.press(.enter)
            #expect(scene.screen.state.focus == .details && !scene.text.contains("change 2"))
            #expect(scene.lines.contains { $0.contains("+ added") && $0.contains("5") }, "\(scene.text)")
            #expect(scene.text.contains("ALIKE"))
            scene.type("y")
            #expect(scene.copied == "5")
            scene.type("Y")
            #expect(scene.copied == "c/k007 added")
            scene.type("h")
            #expect(scene.screen.state.focus == .list)
            scene.type("y")
            #expect(scene.copied == "k007")
            scene.type("q")
            #expect(scene.hasQuit && scene.screen.hasDifferences)
        }
    }

    @Test func bothOrdersSayTheOpposite() throws {
        try withTwo { first, second in
            let one = try DiffScene(first, second)
            let other = try DiffScene(second, first)
            #expect(one.lines.contains { $0.contains("- k003") } && other.lines.contains { $0.contains("+ k003") })
            #expect(one.lines.contains { $0.contains("+ zz") } && other.lines.contains { $0.contains("- zz") })
            #expect(other.lines.contains { $0.contains("added 5 → nothing") }, "\(other.text)")
        }
    }

    @Test func aFilterIsOfNamesOfValuesOfKindsAndOfConditions() throws {
        try whereTwoDiffer { scene in
            scene.type("+")
            #expect(keys(scene) == ["zz"] && scene.text.contains("only new"))
            scene.type("+")
            scene.type("~")
            #expect(keys(scene) == ["k007"])
            scene.press(.escape)
            let all = keys(scene)
            #expect(all.prefix(3) == ["k003", "k007", "zz"])
            scene.type("&k00")
            scene.press(.enter)
            #expect(keys(scene).prefix(2) == ["k003", "k007"] && !keys(scene).contains("zz"))
            scene.type("&=added = 5")
            scene.press(.enter)
            #expect(keys(scene) == ["k007"] && scene.text.contains("&=added = 5"))
            // A value of one file alone: the row that is gone.
            scene.type("&number 3")
            scene.press(.enter)
            #expect(keys(scene) == ["k003"], "\(scene.text)")
            scene.type("&=added >")
            scene.press(.enter)
            #expect(scene.text.contains("no expression"))
            scene.press(.escape)
            #expect(keys(scene) == all)
            scene.type("&nowhere")
            scene.press(.enter)
            #expect(keys(scene) == [] && scene.text.contains("Nothing matches"))
            scene.type("&=added = \"five\"")
            scene.press(.enter)
            #expect(scene.text.contains("No row has a field \"five\". A text is in single quotes: 'five'"))
        }
    }

    @Test func aSearchFindsWhileItIsTypedAndGoesAround() throws {
        try whereTwoDiffer { scene in
            scene.type("/zz")
            #expect(scene.selected?.name == "zz")
            scene.press(.escape)
            #expect(scene.selected?.name == "k003")
            scene.type("/k00")
            scene.press(.enter)
            #expect(scene.selected?.name == "k003")
            scene.type("n")
            #expect(scene.selected?.name == "k007")
            scene.type("N")
            #expect(scene.selected?.name == "k003")
            scene.type("/nothing at all")
            scene.press(.enter)
            #expect(scene.hint.contains("Nothing matches"))
        }
    }

    @Test func equalFilesAreSaidToBeEqual() throws {
        let path = originalFile("books").path
        let scene = try DiffScene(path, path)
        #expect(scene.text.contains("No difference") && scene.text.contains("481 equal"))
        #expect(!scene.screen.hasDifferences)
        scene.type("jkG")
        scene.press(.enter)
        scene.type("y")
        #expect(scene.hint.contains("nothing to copy"))
    }

    /// Nothing is told by colours alone, and nothing by signs that the terminal does not have.
    @Test func withoutColoursAndInASCIIItSaysTheSame() throws {
        try withTwo { first, second in
            let scene = try DiffScene(first, second, unicode: .ascii, depth: .monochrome)
            scene.type("j")
            #expect(scene.text.utf8.allSatisfy { $0 < 0x80 }, "\(scene.text)")
            #expect(scene.lines.contains { $0.contains("~ k007") } && scene.lines.contains { $0.contains("+ added") })
        }
    }

    @Test(arguments: [(20, 5), (40, 10), (69, 12), (80, 24), (200, 50)])
    func everySizeShowsTheListAndThePanel(width: Int, height: Int) throws {
        try whereTwoDiffer { scene in
            scene.resize(width, height)
            #expect(scene.grid.width == width && scene.text.contains("k003"))
            scene.press(.enter)
            #expect(scene.text.contains("c/k003"), "\(scene.text)")
            scene.press(.escape)
            #expect(scene.screen.state.focus == .list)
        }
    }

    @Test func aComparisonIsStoppedAndWhatWasFoundStays() throws {
        try withTwo { first, second in
            let later = Later()
            let scene = try DiffScene(first, second, background: later)
            #expect(scene.hint.contains("comparing"))
            scene.press(.escape)
            #expect(scene.hint.contains("Stopped"))
            while later.count > 0 { later.runOne() }
            #expect(scene.screen.state.progress.isOver)
        }
    }

    @Test func everyKeyIsInTheHelpAndMeansOneThing() {
        let keys = DiffKeys.standard
        let help = keys.help(Theme()).lines.map(\.text)
        #expect(keys.map.bindings.allSatisfy { binding in help.contains { $0.contains(binding.help) } })
        let all = keys.map.bindings.flatMap(\.keys)
        #expect(Set(all).count == all.count)
    }

    private func keys(_ scene: DiffScene) -> [String] {
        let sections = scene.screen.source.sections
        return (0..<sections.count).map { scene.screen.store[sections.index(at: $0)] }.filter { !$0.isInView }.map(
            \.name)
    }

    private func whereTwoDiffer(body: @MainActor (DiffScene) throws -> Void) throws {
        try withTwo { try body(DiffScene($0, $1)) }
    }

    private func withTwo(body: @MainActor (String, String) throws -> Void) throws {
        try withFile(
            "json",
            changedBy: "DELETE FROM database2 WHERE key = 'k003'",
            "INSERT INTO database2 (collection, key, data) VALUES ('c', 'zz', '{\"a\":1}')",
            "UPDATE database2 SET data = json_set(data, '$.added', 5) WHERE key = 'k007'"
        ) { try body(originalFile("json").path, $0) }
    }
}
