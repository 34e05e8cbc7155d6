extension GalleryEntry {
    static let slidingWithAnOffset = GalleryEntry(
        defect: 2, name: "fixed-offset",
        title: "Rows slide into a fixed range with an offset",
        about: """
            The range leaves out the first row of A and shows the next four. A row that is inserted before them \
            pushes the first row down into the window: k3 comes in at the upper edge. The original never reports \
            a row that slides across the edge to which the range is pinned; it inserts one at the other edge \
            instead, and the table shows k7 twice and k3 nowhere.
            """,
        vector: #"""
            {"scenario": {"id": "fixed-88",
              "mappings": {"groups": ["A", "B"], "config": [
                {"do": "range", "group": "A", "kind": "fixed", "length": 4, "offset": 1, "from": "beginning"},
                {"do": "range", "group": "B", "kind": "fixed", "length": 1, "offset": 2, "from": "end"}]},
              "initial": [{"op": "set", "key": "k1", "group": "A", "sort": 16, "text": "t2"},
                {"op": "set", "key": "k3", "group": "A", "sort": 7, "text": "t4"},
                {"op": "set", "key": "k5", "group": "A", "sort": 13, "text": "t6"},
                {"op": "set", "key": "k7", "group": "A", "sort": 17, "text": "t8"},
                {"op": "set", "key": "k9", "group": "B", "sort": 2, "text": "t10"},
                {"op": "set", "key": "k11", "group": "B", "sort": 1, "text": "t12"},
                {"op": "set", "key": "k13", "group": "B", "sort": 0, "text": "t14"},
                {"op": "set", "key": "k15", "group": "B", "sort": 13, "text": "t16"},
                {"op": "set", "key": "k17", "group": "B", "sort": 17, "text": "t18"},
                {"op": "set", "key": "k19", "group": "B", "sort": 10, "text": "t20"}],
              "steps": [
                {"commits": [[{"op": "touch", "key": "k9"}]]},
                {"commits": [[{"op": "set", "key": "k21", "group": "A", "sort": 15, "text": "t22"},
                  {"op": "set", "key": "k5", "group": "A", "sort": 13, "text": "t23"},
                  {"op": "set", "key": "k21", "group": "A", "sort": 6, "text": "t24"}]]}]},
             "expected": {"steps": [
              {"sectionChanges": [],
               "rowChanges": []},
              {"sectionChanges": [],
               "rowChanges": [
                {"type": "update", "key": "k5", "changes": ["object", "metadata"], "indexPath": [0, 0], "originalGroup": "A"},
                {"type": "insert", "key": null, "changes": ["object", "metadata"], "newIndexPath": [0, 3], "finalGroup": "A"}]}]}}
            """#,
        steps: [
            "A row of B is touched that is not shown: nothing is to be drawn.",
            "k21 comes to A, moves to the front of it, and pushes k3 into the window; k5 changes.",
        ])
}
