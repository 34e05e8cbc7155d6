extension GalleryEntry {
    static let leastLengthWithAnOffset = GalleryEntry(
        defect: 3, name: "least-length",
        title: "A flexible range is filled up to its least length",
        about: """
            The range begins four rows into the group and is to show one row at least. The first row of the \
            group is pulled in and stands at [0,0]. The original says [0,4], as if the offset were still there, \
            and then shows a row that does not exist.
            """,
        vector: #"""
            {"scenario": {"id": "flexibleMin-36",
              "mappings": {"groups": ["A"], "config": [
                {"do": "range", "group": "A", "kind": "flexible", "length": 2, "offset": 4, "from": "beginning", "grow": "both", "min": 1}]},
              "initial": [],
              "steps": [
                {"commits": [[{"op": "set", "key": "k1", "group": "A", "sort": 1, "text": "t2"},
                  {"op": "remove", "key": "k1"}]]},
                {"commits": [[{"op": "set", "key": "k3", "group": "A", "sort": 12, "text": "t4"}]]}]},
             "expected": {"steps": [
              {"sectionChanges": [],
               "rowChanges": []},
              {"sectionChanges": [],
               "rowChanges": [
                {"type": "insert", "key": null, "changes": ["object", "metadata"], "newIndexPath": [0, 4], "finalGroup": "A"}]}]}}
            """#,
        steps: [
            "A row comes and goes within one commit: nothing is to be drawn.",
            "k3 is inserted: the only row of the group.",
        ])
}
