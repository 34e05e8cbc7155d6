import Testing

/// What ``FolderMap`` finds in small targets.
@Suite struct FolderMapTests {
    @Test func twoFoldersThatNameEachOthersTypesAreAPair() {
        let map = FolderMap([
            "Values/Row.swift": "struct Row { var list: List? }",
            "Lists/List.swift": "final class List { let rows: [Row] }",
            "Screen/Screen.swift": "struct Screen { let list: List }",
        ])
        #expect(map.mutualPairs == [.init("Lists", "Values")])
        #expect(
            map.explanation(of: .init("Lists", "Values")) == """
                  Lists uses Values:
                    Lists/List.swift names Row
                  Values uses Lists:
                    Values/Row.swift names List
                """)
    }

    @Test func oneDirectionIsNoPair() {
        let map = FolderMap([
            "Values/Row.swift": "struct Row {}", "Lists/List.swift": "struct List { let rows: [Row] }",
        ])
        #expect(map.mutualPairs.isEmpty)
        #expect(map.uses["Lists"]?["Values"] == [.init(file: "Lists/List.swift", type: "Row")])
        #expect(map.uses["Values"] == nil)
    }

    @Test func threeFoldersMayMakeACircle() {
        let map = FolderMap([
            "A/A.swift": "struct A { let b: B; let base: Base }", "B/B.swift": "struct B { let c: C }",
            "C/C.swift": "struct C { let a: A }", "Base/Base.swift": "struct Base {}",
            "Top/Top.swift": "let top: [A] = []",
        ])
        #expect(map.mutualPairs.isEmpty)
        #expect(map.foldersInCircles == ["A", "B", "C"])
    }

    @Test func anExtensionUsesItsType() {
        let map = FolderMap([
            "Values/Row.swift": "struct Row { let kind: Kind }",
            "Lists/Row+Kind.swift": "enum Kind { case list }\nextension Row {}",
        ])
        #expect(map.mutualPairs == [.init("Lists", "Values")])
    }

    @Test func filesBesideTheFoldersAreOneFolder() {
        let map = FolderMap([
            "Main.swift": "enum Main {}\nlet run = Run()", "Run/Run.swift": "struct Run { let m: Main }",
        ])
        #expect(map.mutualPairs == [.init("Run", "top")])
    }

    @Test(arguments: [
        "// Row", "/* Row /* Row */ Row */", #"let text = "Row""#, ##"let text = #"Row " \(Row)"#"##,
        "let text = \"\"\"\nRow \" Row\n\"\"\"", #"let text = "a \" Row""#, "import struct Row", "let a = Grid.Row",
        "struct Other { struct Row {} }\nlet row = Row()",
        "enum Other { private typealias Row = Int }\nlet row: Row = 1",
    ])
    func whatIsNoUse(code: String) {
        let map = FolderMap(["Values/Row.swift": "struct Row {}", "Lists/List.swift": code])
        #expect(map.uses.isEmpty)
        #expect(map.unread.isEmpty)
    }

    @Test(arguments: [
        "let row = Row()", #"let text = "a \(Row().name(")")) b""#, ##"let text = #"a \#(Row())"#"##,
        "let text = \"\"\"\n\\(Row())\n\"\"\"", "func f(_ row: [Row?]) {}", #"let text = "" + Row.text"#,
        "let a = b /* c */ as Row", "class Some { class func f() {}\nvar row: Row }",
    ])
    func whatIsAUse(code: String) {
        let map = FolderMap(["Values/Row.swift": "struct Row {}", "Lists/List.swift": code])
        #expect(map.uses["Lists"]?["Values"] == [.init(file: "Lists/List.swift", type: "Row")])
        #expect(map.unread.isEmpty)
    }

    @Test(arguments: [
        "private struct Row {}", "fileprivate enum Row {}", "enum Outer { struct Row {} }",
        "func f() { struct Row {} }",
    ])
    func whatOtherFilesCannotName(declaration: String) {
        let map = FolderMap(["Values/Row.swift": declaration, "Lists/List.swift": "let row = Row()"])
        #expect(map.uses.isEmpty)
    }

    @Test(arguments: [
        "public final class Row {}", "@MainActor struct Row {}", "protocol Row {}", "typealias Row = Int",
        "private let a = 1\nstruct Row {}", "private func f() {}\n\nactor Row {}", "indirect enum Row {}",
    ])
    func whatOtherFilesCanName(declaration: String) {
        let map = FolderMap(["Values/Row.swift": declaration, "Lists/List.swift": "let row: Row"])
        #expect(map.uses["Lists"]?["Values"] != nil)
    }

    @Test func aFileThatIsNotUnderstoodIsNamed() {
        #expect(FolderMap(["Values/Row.swift": "struct Row {"]).unread == ["Values/Row.swift"])
    }
}
