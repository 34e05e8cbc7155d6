import LiveTable
import Testing

@testable import Browser

/// The screen at several sizes, as lines without the title line, which contains the path.
@MainActor @Suite struct PanesTests {
    @Test func threePanesStandSideBySideFrom100Columns() throws {
        try withFile("books") { path in
            let scene = try BrowserScene(path)
            #expect(scene.title.hasPrefix(" yap browse · ") && scene.title.contains("/books.sqlite "))
            #expect(scene.title.hasSuffix(" read-only   paused #24"))
            expect(
                scene,
                """
                ──────────────────────────┬─────────────────────────────────────────────┬───────────────────────────
                 COLLECTIONS           1  │ books                              481 rows │ books/book-000      172 B
                ▌  books              481 │ key        sales  price  genre    title     │ OBJECT     property list ▐
                 VIEWS                 3  │▌book-000  683240  27.61  mystery  Title 42…▐│▌{                        ▐
                 ▸ inStock FilteredView … │ book-001  199767  41.16  travel   Title 86… │   sales    683240        ▐
                 ▸ order AutoView "2013-… │ book-002  203592  24.56  travel   Title 68… │   price    27.61         ▐
                 ▸ salesRank AutoView "1" │ book-003   98095   47.3  cooking  Title 22… │   inStock  true          ▐
                 FILE                     │ book-004   95010  48.43  sci-fi   Title 71… │   genre    "mystery"     ▐
                   yap2                10 │ book-005  605563   6.96  travel   Title 01… │   title    "Title 42300" ▐
                   snapshot           #24 │ book-006  762266  30.81  fantasy  Title 27… │ }                        ▐
                   size            258 kB │ book-007   82121  27.56  mystery  Title 44… │ METADATA   property list ▐
                   pages               63 │ book-008  619631  41.89  mystery  Title 22… │ 15                       ▐
                   page size       4.1 kB │ book-009  875215  48.86  fantasy  Title 05… │ ROW                      ▐
                   free space         0 B │ book-010  122178  29.16  cooking  Title 66… │  collection  books       ▐
                   write-ahead log    0 B │ book-011  622853  14.98  mystery  Title 55… │  key         book-000    ▐
                   layout version       3 │ book-013  306632  44.57  cooking  Title 74… │  rowid       1           ▐
                   text encoding    UTF-8 │ book-014  672505  47.71  cooking  Title 96… │  object      129 B       ▐
                                          │ book-015  596216  25.29  cooking  Title 56… │  metadata    43 B        ▐
                                          │ book-016  863011  17.49  mystery  Title 65… │ IN
                                          │ book-017  140697  31.92  sci-fi   Title 39… │ ›inStock/mystery  at 28
                                          │ book-018  461978  15.08  mystery  Title 59… │ ›order/mystery    at 40
                ──────────────────────────┴─────────────────────────────────────────────┴───────────────────────────
                 ↑↓ move   Enter open   Space fold   m mark   Tab next pane   f follow   b bytes   ? help   q quit
                """)
        }
    }

    @Test func twoPanesStandSideBySideFrom60Columns() throws {
        try withFile("books") { path in
            let scene = try BrowserScene(path, width: 80, height: 16)
            scene.press(.character("j"), .character("j"), .enter)
            expect(
                scene,
                """
                ────────────────────────────┬───────────────────────────────────────────────────
                 COLLECTIONS             1 ▐│ order                            row 1 · 481 rows
                   books                481▐│ key        sales  price  title
                 VIEWS                   3 ▐│ cooking                                      102 ▐
                 ▸ inStock FilteredView "s…▐│▌book-364  817484  39.41  Title 00183
                ▌▾ order AutoView "2013-01"▐│ book-422  191259  42.01  Title 01015
                     cooking            102▐│ book-174  910059  18.06  Title 01207
                     fantasy            108▐│ book-494  480446   4.91  Title 01432
                     mystery             94 │ book-430  892062  26.87  Title 02232
                     sci-fi              85 │ book-260  183587  42.76  Title 03437
                     travel              92 │ book-344  951488  25.53  Title 04454
                 ▸ salesRank   AutoView "1" │ book-236  249053   4.81  Title 05435
                 FILE                       │ book-156  432422   0.96  Title 06743
                ────────────────────────────┴───────────────────────────────────────────────────
                 ↑↓ move   Enter open   / find   & filter   r reverse   ? help   q quit
                """)
        }
    }

    @Test func aRowOpensOverTheListWhereThereAreTwo() throws {
        try withFile("books") { path in
            let scene = try BrowserScene(path, width: 80, height: 16)
            scene.press(.character("j"), .character("j"), .enter, .enter)
            expect(
                scene,
                """
                ────────────────────────────┬───────────────────────────────────────────────────
                 COLLECTIONS             1 ▐│ books/book-364                              173 B
                   books                481▐│ OBJECT                             property list ▐
                 VIEWS                   3 ▐│▌{                                                ▐
                 ▸ inStock FilteredView "s…▐│   sales    817484                                ▐
                ▌▾ order AutoView "2013-01"▐│   price    39.41                                 ▐
                     cooking            102▐│   inStock  true                                  ▐
                     fantasy            108▐│   genre    "cooking"                             ▐
                     mystery             94 │   title    "Title 00183"
                     sci-fi              85 │ }
                     travel              92 │ METADATA                           property list
                 ▸ salesRank   AutoView "1" │ 364
                 FILE                       │ ROW
                ────────────────────────────┴───────────────────────────────────────────────────
                 ↑↓ move   Enter open   x raw   y copy   h back   d decoder   ? help   q quit
                """)
            scene.press(.escape)
            #expect(scene.text.contains("481 rows"))
            scene.press(.enter)
            scene.type("h")
            #expect(scene.text.contains("481 rows"))
        }
    }

    @Test func onePaneIsEnteredAndLeftBelow60Columns() throws {
        try withFile("books") { path in
            let scene = try BrowserScene(path, width: 50, height: 12)
            let tree = scene.lines
            scene.press(.enter)
            expect(
                scene,
                """
                ──────────────────────────────────────────────────
                 books                           row 1 · 481 rows
                 key        sales  price  genre    title
                ▌book-000  683240  27.61  mystery  Title 42300   ▐
                 book-001  199767  41.16  travel   Title 86793
                 book-002  203592  24.56  travel   Title 68644
                 book-003   98095   47.3  cooking  Title 22454
                 book-004   95010  48.43  sci-fi   Title 71156
                 book-005  605563   6.96  travel   Title 01835
                ──────────────────────────────────────────────────
                 ↑↓ move   Enter open   / find   ? help   q quit
                """)
            scene.press(.enter)
            expect(
                scene,
                """
                ──────────────────────────────────────────────────
                 books/book-000                             172 B
                 OBJECT                            property list ▐
                ▌{                                               ▐
                   sales    683240
                   price    27.61
                   inStock  true
                   genre    "mystery"
                   title    "Title 42300"
                ──────────────────────────────────────────────────
                 ↑↓ move   Enter open   x raw   ? help   q quit
                """)
            scene.press(.escape, .escape)
            #expect(scene.lines == tree)
        }
    }

    @Test func aLowScreenInASCIIHasNoRules() throws {
        try withFile("books") { path in
            expect(
                try BrowserScene(path, width: 100, height: 9, unicode: .ascii),
                """
                 COLLECTIONS           1 #| books                              481 rows | books/book-000      172 B
                >  books              481#|>book-000  683240  27.61  mystery  Title 42~#| OBJECT     property list #
                 VIEWS                 3 #| book-001  199767  41.16  travel   Title 86~ |>{                        #
                 > inStock FilteredView ~ | book-002  203592  24.56  travel   Title 68~ |   sales    683240
                 > order AutoView "2013-~ | book-003   98095   47.3  cooking  Title 22~ |   price    27.61
                 > salesRank AutoView "1" | book-004   95010  48.43  sci-fi   Title 71~ |   inStock  true
                 FILE                     | book-005  605563   6.96  travel   Title 01~ |   genre    "mystery"
                 ^v move   Enter open   Space fold   m mark   Tab next pane   f follow   b bytes   ? help   q quit
                """)
        }
    }

    @Test func onALightBackgroundColoursAreOthersAndTextIsTheSame() throws {
        try withFile("books") { path in
            let scene = try BrowserScene(path)
            let dark = scene.grid
            scene.pass(.background(.light), to: scene.screen)
            #expect(scene.grid.lines == dark.lines)
            #expect(Set(scene.grid.cells.map(\.style)) != Set(dark.cells.map(\.style)))
        }
    }

    @Test(arguments: [(200, 50), (100, 24), (80, 24), (60, 10), (40, 8), (20, 5), (8, 3), (1, 1)])
    func noSizeIsTooSmallToBeDrawn(width: Int, height: Int) throws {
        try withFile("chat") { path in
            let scene = try BrowserScene(path, width: 100, height: 24)
            for _ in 0..<4 {
                scene.screen.handle(.resize(width: width, height: height))
                #expect(scene.grid.width == width && scene.grid.height == height)
                scene.press(.tab)
            }
        }
    }

    private func expect(_ scene: BrowserScene, _ picture: String, _ location: SourceLocation = #_sourceLocation) {
        #expect(scene.lines.joined(separator: "\n") == picture, sourceLocation: location)
    }
}
