extension GalleryEntry {
    static let sectionOfARange = GalleryEntry(
        defect: 4, name: "section-of-a-range",
        title: "A dynamic section vanishes because of its range",
        about: """
            The range leaves out the last two rows of A. When only two are left, its window is empty, and the \
            section, being dynamic, has to go. The original has no section change for a section that goes \
            because of its range: the table counts one section more than there is.
            """,
        vector: #"""
            {"scenario": {"id": "mixed-0",
              "mappings": {"groups": ["A"], "config": [{"do": "dynamicSection", "group": "A", "value": true},
                {"do": "range", "group": "A", "kind": "fixed", "length": 3, "offset": 2, "from": "end"}]},
              "initial": [{"op": "set", "key": "k1", "group": "A", "sort": 16, "text": "t2"},
                {"op": "set", "key": "k3", "group": "A", "sort": 3, "text": "t4"},
                {"op": "set", "key": "k5", "group": "A", "sort": 18, "text": "t6"}],
              "steps": [
                {"commits": [[{"op": "touch", "key": "k1"},
                  {"op": "set", "key": "k3", "group": "A", "sort": 3, "text": "t7"}],
                  [{"op": "set", "key": "k5", "group": "A", "sort": 11, "text": "t8"}, {"op": "remove", "key": "k5"}],
                  [{"op": "set", "key": "k1", "group": "A", "sort": 20, "text": "t9"},
                  {"op": "set", "key": "k3", "group": "A", "sort": 15, "text": "t10"}]]}]},
             "expected": {"steps": [
              {"sectionChanges": [],
               "rowChanges": [
                {"type": "delete", "key": "k3", "changes": ["object", "metadata"], "indexPath": [0, 0], "originalGroup": "A"}]}]}}
            """#,
        steps: [
            "k5 is deleted, and the two rows that are left are beyond the range."
        ])
}
