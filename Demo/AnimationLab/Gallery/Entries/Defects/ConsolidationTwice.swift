extension GalleryEntry {
    static let consolidationTwice = GalleryEntry(
        defect: 6, name: "consolidation",
        title: "Few rows are shown as one section",
        about: """
            Below five rows in all the two groups are one section, "all". When the second step falls below it, \
            the rows that were set move into the section, and the rest moves by rank. The original has two rows \
            move to [0,1], and forgets [0,0].
            """,
        vector: #"""
            {"scenario": {"id": "consolidation-32",
              "mappings": {"groups": ["A", "B"], "config": [{"do": "consolidate", "threshold": 5, "name": "all"}]},
              "initial": [{"op": "set", "key": "k1", "group": "A", "sort": 4, "text": "t2"},
                {"op": "set", "key": "k3", "group": "A", "sort": 5, "text": "t4"},
                {"op": "set", "key": "k5", "group": "A", "sort": 4, "text": "t6"},
                {"op": "set", "key": "k7", "group": "B", "sort": 6, "text": "t8"},
                {"op": "set", "key": "k9", "group": "B", "sort": 2, "text": "t10"}],
              "steps": [
                {"commits": [[{"op": "set", "key": "k3", "group": "A", "sort": 3, "text": "t11"}],
                  [{"op": "set", "key": "k3", "group": "A", "sort": 1, "text": "t12"},
                  {"op": "set", "key": "k13", "group": "B", "sort": 2, "text": "t14"}, {"op": "remove", "key": "k5"},
                  {"op": "set", "key": "k9", "group": "B", "sort": 2, "text": "t15"}],
                  [{"op": "set", "key": "k16", "group": "A", "sort": 0, "text": "t17"},
                  {"op": "set", "key": "k18", "group": "B", "sort": 0, "text": "t19"},
                  {"op": "set", "key": "k16", "group": "A", "sort": 0, "text": "t20"}]]},
                {"commits": [[{"op": "removeMany", "keys": ["k9", "k16", "k13"]},
                  {"op": "set", "key": "k7", "group": "B", "sort": 3, "text": "t21"},
                  {"op": "set", "key": "k3", "group": "B", "sort": 1, "text": "t22"},
                  {"op": "set", "key": "k18", "group": "B", "sort": 0, "text": "t23"}],
                  [{"op": "set", "key": "k24", "group": "A", "sort": 4, "text": "t25"},
                  {"op": "set", "key": "k18", "group": "B", "sort": 0, "text": "t26"}, {"op": "remove", "key": "k24"}],
                  [{"op": "set", "key": "k18", "group": "B", "sort": 4, "text": "t27"},
                  {"op": "replaceObject", "key": "k7", "group": "B", "sort": 3, "text": "t28"},
                  {"op": "set", "key": "k3", "group": "B", "sort": 4, "text": "t29"}]]}]},
             "expected": {"steps": [
              {"sectionChanges": [],
               "rowChanges": [
                {"type": "move", "key": "k3", "changes": ["object", "metadata"], "indexPath": [0, 2], "originalGroup": "A", "newIndexPath": [0, 1], "finalGroup": "A"},
                {"type": "insert", "key": "k13", "changes": ["object", "metadata"], "newIndexPath": [1, 1], "finalGroup": "B"},
                {"type": "delete", "key": "k5", "changes": ["object", "metadata"], "indexPath": [0, 1], "originalGroup": "A"},
                {"type": "update", "key": "k9", "changes": ["object", "metadata"], "indexPath": [1, 0], "originalGroup": "B"},
                {"type": "insert", "key": "k16", "changes": ["object", "metadata"], "newIndexPath": [0, 0], "finalGroup": "A"},
                {"type": "insert", "key": "k18", "changes": ["object", "metadata"], "newIndexPath": [1, 0], "finalGroup": "B"}]},
              {"sectionChanges": [{"type": "delete", "section": 0, "group": "A"},
                {"type": "delete", "section": 1, "group": "B"}, {"type": "insert", "section": 0, "group": "all"}],
               "rowChanges": [
                {"type": "delete", "key": "k16", "changes": ["object", "metadata"], "indexPath": [0, 0], "originalGroup": "A"},
                {"type": "delete", "key": "k13", "changes": ["object", "metadata"], "indexPath": [1, 1], "originalGroup": "B"},
                {"type": "delete", "key": "k9", "changes": ["object", "metadata"], "indexPath": [1, 2], "originalGroup": "B"},
                {"type": "move", "key": "k7", "changes": ["object", "metadata"], "indexPath": [1, 3], "originalGroup": "B", "newIndexPath": [0, 1], "finalGroup": "all"},
                {"type": "move", "key": "k3", "changes": ["object", "metadata"], "indexPath": [0, 1], "originalGroup": "A", "newIndexPath": [0, 3], "finalGroup": "all"},
                {"type": "move", "key": "k18", "changes": ["object", "metadata"], "indexPath": [1, 0], "originalGroup": "B", "newIndexPath": [0, 2], "finalGroup": "all"},
                {"type": "move", "key": null, "changes": [], "indexPath": [0, 2], "originalGroup": "A", "newIndexPath": [0, 1], "finalGroup": "all"}]}]}}
            """#,
        steps: [
            "Rows come, go and move; seven are left, and the groups remain sections.",
            "Three are deleted: four rows, and the two sections become one.",
        ])
}
