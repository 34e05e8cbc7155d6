extension GalleryEntry {
    static let rangeToRangeWithoutEnd = GalleryEntry(
        defect: 1, name: "endless",
        title: "The same, and no answer at all",
        about: """
            One row moves from a group with a fixed range to another. The original counts it as coming in and as \
            going out, corrects one by the other, and never comes to an end: an app that asked hangs. It did so \
            in 38 of the scenarios that it was measured with.
            """,
        vector: #"""
            {"scenario": {"id": "fixed-12",
              "mappings": {"groups": ["A", "B", "C"], "config": [
                {"do": "range", "group": "A", "kind": "fixed", "length": 2, "offset": 0, "from": "beginning"},
                {"do": "range", "group": "B", "kind": "fixed", "length": 1, "offset": 0, "from": "end"},
                {"do": "range", "group": "C", "kind": "fixed", "length": 2, "offset": 1, "from": "beginning"}]},
              "initial": [{"op": "set", "key": "k1", "group": "A", "sort": 6, "text": "t2"},
                {"op": "set", "key": "k3", "group": "A", "sort": 1, "text": "t4"},
                {"op": "set", "key": "k5", "group": "B", "sort": 4, "text": "t6"},
                {"op": "set", "key": "k7", "group": "B", "sort": 5, "text": "t8"},
                {"op": "set", "key": "k9", "group": "B", "sort": 1, "text": "t10"}],
              "steps": [
                {"commits": [[{"op": "set", "key": "k1", "group": "C", "sort": 2, "text": "t11"}]]}]},
             "expected": {"error": "the original did not end"}}
            """#,
        steps: [
            "k1 moves from A to C."
        ])
}
