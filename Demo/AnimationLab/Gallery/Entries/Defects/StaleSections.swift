extension GalleryEntry {
    static let staleSections = GalleryEntry(
        defect: 8, name: "stale-sections",
        title: "A section is made dynamic after the first update",
        about: """
            The list is on screen with two empty sections when both are made dynamic. With the next commit the \
            empty one has to go. The original leaves its visible groups as they were, which are no longer what \
            the mappings say, and tells nothing of the section.
            """,
        vector: #"""
            {"scenario": {"id": "lateConfig-136",
              "mappings": {"groups": ["A", "B"], "configAfterUpdate": true, "config": [
                {"do": "dependencies", "group": "A", "offsets": [-1]},
                {"do": "dynamicSection", "group": "A", "value": true},
                {"do": "dynamicSection", "group": "B", "value": true}]},
              "initial": [],
              "steps": [
                {"commits": [[{"op": "set", "key": "k1", "group": "A", "sort": 6, "text": "t2"}],
                  [{"op": "remove", "key": "k1"}, {"op": "set", "key": "k3", "group": "B", "sort": 15, "text": "t4"}],
                  [{"op": "set", "key": "k5", "group": "B", "sort": 11, "text": "t6"},
                  {"op": "set", "key": "k5", "group": "B", "sort": 11, "text": "t7"}]]}]},
             "expected": {"steps": [
              {"sectionChanges": [],
               "rowChanges": [
                {"type": "insert", "key": "k3", "changes": ["object", "metadata"], "newIndexPath": [0, 1], "finalGroup": "B"},
                {"type": "insert", "key": "k5", "changes": ["object", "metadata"], "newIndexPath": [0, 0], "finalGroup": "B"}]}]}}
            """#,
        steps: [
            "A row comes to A and leaves, two come to B: A is empty and has to go."
        ])
}
