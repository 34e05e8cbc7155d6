extension GalleryEntry {
    static let rangeToRange = GalleryEntry(
        defect: 1, name: "range-to-range",
        title: "A row moves between groups with fixed ranges",
        about: """
            Both groups show only a part of themselves. A row that goes from one to the other changes what both \
            windows hold. The original counts it in one window and out of the other a second time, and asks for \
            a row that does not exist.
            """,
        vector: #"""
            {"scenario": {"id": "fixed-212",
              "mappings": {"groups": ["A", "B"], "config": [
                {"do": "range", "group": "A", "kind": "fixed", "length": 4, "offset": 1, "from": "end"},
                {"do": "range", "group": "B", "kind": "fixed", "length": 1, "offset": 1, "from": "beginning"}]},
              "initial": [{"op": "set", "key": "k1", "group": "A", "sort": 5, "text": "t2"},
                {"op": "set", "key": "k3", "group": "B", "sort": 4, "text": "t4"},
                {"op": "set", "key": "k5", "group": "B", "sort": 2, "text": "t6"}],
              "steps": [
                {"commits": [[{"op": "set", "key": "k7", "group": "A", "sort": 1, "text": "t8"},
                  {"op": "remove", "key": "k7"}]]},
                {"commits": [[{"op": "set", "key": "k5", "group": "A", "sort": 2, "text": "t9"},
                  {"op": "set", "key": "k1", "group": "A", "sort": 1, "text": "t10"}]]}]},
             "expected": {"steps": [
              {"sectionChanges": [],
               "rowChanges": []},
              {"sectionChanges": [],
               "rowChanges": [
                {"type": "insert", "key": "k1", "changes": ["object", "metadata"], "newIndexPath": [0, 0], "finalGroup": "A"},
                {"type": "insert", "key": null, "changes": ["object", "metadata"], "newIndexPath": [0, 1], "finalGroup": "A"},
                {"type": "delete", "key": null, "changes": ["object", "metadata"], "indexPath": [1, 0], "originalGroup": "B"}]}]}}
            """#,
        steps: [
            "A row comes to A and leaves again within one commit: nothing is to be drawn.",
            "k5, which is not shown, moves from B to A, and k1 changes its place in A.",
        ])
}
