extension GalleryEntry {
    static let farNeighbours = GalleryEntry(
        defect: 7, name: "far-neighbours",
        title: "A cell that looks two rows up",
        about: """
            In A the cell of a row depends on the row two above. k9 is inserted between k3 and k1, so that the \
            row two above k1 is k3, where there was none before. The original is exact for the next row only; \
            the rows it gives are right, but k1 is drawn as before.
            """,
        vector: #"""
            {"scenario": {"id": "dynamicGroups-104",
              "mappings": {"groups": ["A", "B"], "dynamicGroups": true, "groupSort": "desc", "config": [
                {"do": "dependencies", "group": "A", "offsets": [-2]},
                {"do": "dynamicSection", "group": "B", "value": true},
                {"do": "dependencies", "group": "B", "offsets": [-1]}]},
              "initial": [{"op": "set", "key": "k1", "group": "A", "sort": 16, "text": "t2"},
                {"op": "set", "key": "k3", "group": "A", "sort": 6, "text": "t4"},
                {"op": "set", "key": "k5", "group": "B", "sort": 16, "text": "t6"},
                {"op": "set", "key": "k7", "group": "B", "sort": 8, "text": "t8"}],
              "steps": [
                {"commits": [[{"op": "set", "key": "k9", "group": "A", "sort": 8, "text": "t10"}]]}]},
             "expected": {"steps": [
              {"sectionChanges": [],
               "rowChanges": [
                {"type": "insert", "key": "k9", "changes": ["object", "metadata"], "newIndexPath": [1, 1], "finalGroup": "A"}]}]}}
            """#,
        steps: [
            "k9 comes between k3 and k1."
        ])
}
