import FileEngine

/// The member `in` of a row's JSON:
///
/// | member | each |
/// |---|---|
/// | `views` | `{"view":…,"group":…,"index":…}` |
/// | `indexes` | `{"index":…,"columns":{…}}` |
/// | `fullText`, `rTrees` | the name |
/// | `from`, of a derived row | `{"field":…,"collection":…,"key":…}` of a row from which it follows, or `{"view":…,"group":…}` of the group that it is about |
/// | `edges` | `{"relationship":…,"name":…,"direction":"out"` or `"in"`, then the other row's collection and key, or `to` if it is no row`}` |
extension RowMembership {
    package func json() -> [UInt8] {
        var json = JSONObject()
        json.add("views", places) { place, json in
            json.add("view", place.view)
            json.add("group", place.group)
            if let index = place.placeInGroup { json.add("index", index) }
        }
        json.add("indexes", indexes) { entry, json in
            json.add("index", entry.index)
            json.add("columns") { bytes in
                var columns = JSONObject()
                for (name, value) in entry.columns { columns.add(name) { value.decoded.appendJSON(to: &$0) } }
                bytes += columns.closed()
            }
        }
        json.add("fullText", fullText)
        json.add("rTrees", rTrees)
        json.add("edges", edges) { edge, json in
            json.add("relationship", edge.relationship)
            json.add("name", edge.name)
            json.add("direction", edge.isOut ? "out" : "in")
            if let other = edge.other {
                json.add("collection", other.collection)
                json.add("key", other.key)
            } else {
                json.add("to") { edge.target.decoded.appendJSON(to: &$0) }
            }
            json.add("rules", Int(edge.rules.number))
            json.add("ruleNames", edge.rules.words)
            json.add("manual", edge.isManual)
        }
        if !origins.isEmpty {
            json.add("from", origins) { origin, json in
                switch origin {
                case .row(_, let address, let field):
                    json.add("field", field)
                    json.add("collection", address.collection)
                    json.add("key", address.key)
                case .group(let view, let name):
                    json.add("view", view)
                    json.add("group", name)
                }
            }
        }
        if hasMoreEdges { json.add("hasMoreEdges", true) }
        return json.closed()
    }
}
