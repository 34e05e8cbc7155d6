import SQLiteBridge
import Testing

@testable import FileReading

/// The screen's search and that of the lines find the same rows, whatever the values are.
@Suite struct SameSearchTests {
    /// A property list with gzip in it, and one with gzip in a property list in gzip.
    private static let boxes = [
        "62706c6973743030d201020304577061796c6f6164557469746c654f10391f8b08000000000002ffab56cacb2f4955b2520acd4b492d5228c94855c84b4d4dc94955c8c94c2d5638dc5996a8540b00d5e8564c2500000053626f78080d151b57000000000000010100000000000000050000000000000000000000000000005b",
        "62706c6973743030d201020304577061796c6f6164557469746c654f106d1f8b08000000000002ff4b2ac8c92c2e3130b8c8c81492929a5ae02f6021dfcdc100024cffbd43344e789e39137cc2638d8e9ea7cfb9308df33a27033c42344e9e38e37bca3394c12b751a0383cbee9ccdaa40f51cdc02607d0c8c8c109a8199011578030066c22f1f6e000000546e657374080d151b8b0000000000000101000000000000000500000000000000000000000000000090",
    ]

    private static let changes =
        [
            "INSERT INTO database2 (collection, key, data) VALUES ('c', 'large', CAST('{\"pad\":\"' || hex(zeroblob(700000)) || '\",\"end\":\"needle\"}' AS BLOB))",
            "INSERT INTO database2 (collection, key, data) VALUES ('c', 'upper', CAST('{\"name\":\"ÉVA\"}' AS BLOB))",
        ]
        + boxes.enumerated().map {
            "INSERT INTO database2 (collection, key, data) VALUES ('c', 'box\($0)', x'\($1)')"
        }

    @Test(
        arguments: [
            ("needle", ["box0", "large"]), ("thimble", ["box1"]), ("éva", ["box0", "upper"]), ("Éva", ["box0"]),
            ("nest", ["box1"]), ("box", ["box0", "box1"]), ("absent", []),
        ])
    func theyFindTheSame(text: String, keys: [String]) throws {
        try withFile("json", changedBy: Self.changes) { path in
            let snapshot = try BrowsedFile(path: path).snapshot
            var lines: [String] = []
            try FileSearch(SearchText(text), collection: StoredText("c")).run(in: snapshot) { rowid, store in
                lines.append(try snapshot.keyRow(rowid, store).address!.key.text)
            }
            #expect(lines == keys)
            for order in ListSubject.RowOrder.allCases {
                let list = try ListContent(
                    .collection(StoredText("c"), by: order), snapshot, catalog: try snapshot.catalog())
                var search = ListSearch(text, list, RowDecoder())
                while !search.isDone { search = try search.advanced(until: .now + .seconds(1)) }
                let screen = try (0..<search.count).map { number in
                    try snapshot.read { try snapshot.keyRow(search[number].rowid, $0).address!.key.text }
                }
                #expect(screen.sorted() == keys, "\(order)")
            }
        }
    }
}
