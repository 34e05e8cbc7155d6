extension GalleryEntry {
    static let phantomRows = GalleryEntry(
        defect: 5, name: "phantom-rows",
        title: "A group appears, and with it a row that was never there",
        about: """
            The groups come from a block. k1 is inserted into A and deleted, then k3 is inserted. The original \
            tests deletes against the groups that there were before, and A was not there: so it drops the delete \
            and keeps the insert.
            """,
        vector: #"""
            {"scenario": {"id": "dynamicGroups-120",
              "mappings": {"groups": ["A", "B"], "dynamicGroups": true, "config": [
                {"do": "dynamicSection", "group": "A", "value": true}]},
              "initial": [],
              "steps": [
                {"commits": [[{"op": "set", "key": "k1", "group": "A", "sort": 3, "text": "t2"}],
                  [{"op": "remove", "key": "k1"}],
                  [{"op": "set", "key": "k3", "group": "A", "sort": 0, "text": "t4"}]]}]},
             "expected": {"steps": [
              {"sectionChanges": [{"type": "insert", "section": 0, "group": "A"}],
               "rowChanges": [
                {"type": "insert", "key": "k1", "changes": ["object", "metadata"], "newIndexPath": [0, 1], "finalGroup": "A"},
                {"type": "insert", "key": "k3", "changes": ["object", "metadata"], "newIndexPath": [0, 0], "finalGroup": "A"}]}]}}
            """#,
        steps: [
            "Three commits, seen in one jump: k1 comes to A, k1 leaves, k3 comes to A."
        ])
}
