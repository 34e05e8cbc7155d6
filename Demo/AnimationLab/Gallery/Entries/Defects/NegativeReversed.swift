extension GalleryEntry {
    static let negativeReversed = GalleryEntry(
        defect: 9, name: "negative-reversed",
        title: "A negative row in a reversed group",
        about: """
            The groups are reversed and have fixed ranges. A row that goes from one to another gets a second, \
            negative position, which is the first defect; to reverse it the original converts it to an unsigned \
            number, and names a row as far away as numbers go. In Swift the program would end there.
            """,
        vector: #"""
            {"scenario": {"id": "fixedReversed-164",
              "mappings": {"groups": ["A", "B", "C"], "config": [
                {"do": "range", "group": "A", "kind": "fixed", "length": 5, "offset": 2, "from": "beginning"},
                {"do": "reverse", "group": "A", "value": true}, {"do": "reverse", "group": "B", "value": true},
                {"do": "range", "group": "B", "kind": "fixed", "length": 2, "offset": 0, "from": "beginning"},
                {"do": "range", "group": "C", "kind": "fixed", "length": 1, "offset": 1, "from": "beginning"},
                {"do": "reverse", "group": "C", "value": true}]},
              "initial": [{"op": "set", "key": "k1", "group": "A", "sort": 12, "text": "t2"},
                {"op": "set", "key": "k3", "group": "A", "sort": 5, "text": "t4"},
                {"op": "set", "key": "k5", "group": "A", "sort": 8, "text": "t6"},
                {"op": "set", "key": "k7", "group": "B", "sort": 4, "text": "t8"},
                {"op": "set", "key": "k9", "group": "C", "sort": 2, "text": "t10"}],
              "steps": [
                {"commits": [[{"op": "remove", "key": "k7"}, {"op": "remove", "key": "k1"}],
                  [{"op": "set", "key": "k11", "group": "A", "sort": 9, "text": "t12"},
                  {"op": "remove", "key": "k9"}]]},
                {"commits": [[{"op": "set", "key": "k5", "group": "C", "sort": 6, "text": "t13"}]]}]},
             "expected": {"steps": [
              {"sectionChanges": [],
               "rowChanges": [
                {"type": "delete", "key": "k7", "changes": ["object", "metadata"], "indexPath": [1, 0], "originalGroup": "B"},
                {"type": "delete", "key": "k1", "changes": ["object", "metadata"], "indexPath": [0, 0], "originalGroup": "A"},
                {"type": "insert", "key": "k11", "changes": ["object", "metadata"], "newIndexPath": [0, 0], "finalGroup": "A"}]},
              {"sectionChanges": [],
               "rowChanges": [
                {"type": "delete", "key": null, "changes": ["object", "metadata"], "indexPath": [0, 0], "originalGroup": "A"},
                {"type": "delete", "key": null, "changes": ["object", "metadata"], "indexPath": [0, "-9223372036854775808"], "originalGroup": "A"}]}]}}
            """#,
        steps: [
            "Rows come and go in all three groups.",
            "k5 leaves A for C, and the window of A is empty.",
        ])
}
