import FileEngine
import FileReading
import ObjectDecoding

/// The lines of a row that are not part of its values.
extension RowDetails {
    var columnFacts: [RowSection.Fact] {
        zip(columns, row.columns).map { column, stored in
            let (name, value) = column
            var fact = RowSection.Fact(name: name, value: value.value.summary(limit: 500))
            fact.stored = stored.value
            if let bytes = stored.value.bytes, !stored.value.isWhole {
                let beginning =
                    if case .text = stored.value.content {
                        String(String(decoding: bytes.prefix(2_000), as: UTF8.self).prefix(500)) + "…"
                    } else {
                        DecodedValue.bytes(Array(bytes.prefix(64)), error: nil).summary(limit: 500)
                    }
                fact.value = "\(RowCount(bytes.count)) of \(RowCount(stored.value.size)) bytes are read: \(beginning)"
            }
            // An edge identifies its rows by their rowids.
            if case .relationship = subject, let rowid = edgeEnd(name) { fact.target = .stored(rowid) }
            return fact
        }
    }

    var rowFacts: [RowSection.Fact] {
        var facts: [RowSection.Fact] = []
        if let address = row.address {
            let name = address.collection.derivingExtension == nil ? "collection" : "derived by"
            facts.append(.init(name: name, value: address.collection.derivingExtension ?? address.collection.text))
            facts.append(.init(name: "key", value: address.key.text))
        }
        facts.append(.init(name: "rowid", value: String(row.rowid)))
        for (name, value) in [("object", row.object), ("metadata", row.metadata)] {
            if let value, value.bytes != nil { facts.append(.init(name: name, value: FileFacts.bytes(value.size))) }
        }
        return facts
    }

    var placeFacts: [RowSection.Fact] {
        let facts = places.map { place in
            let page = "page \(place.pageKey.prefix(8)) at \(RowCount(place.placeInPage))"
            return RowSection.Fact(
                name: "\(place.view)/\(place.group)",
                value: place.placeInGroup.map { "at \(RowCount($0))" } ?? page,
                aside: place.placeInGroup == nil ? "" : ", " + page,
                target: .place(place, rowid: row.rowid))
        }
        let problems = [problem].compactMap(\.self) + (membership?.problems ?? [])
        return facts + problems.map { .init(name: "", value: $0, isWrong: true) }
    }

    /// What a derived row follows from.
    var originFacts: [RowSection.Fact] {
        (membership?.origins ?? []).map { origin in
            switch origin {
            case .row(let rowid, let address, let field):
                .init(name: field, value: address.words, target: .stored(rowid))
            case .group(let view, let name):
                .init(
                    name: "group", value: "\(view)/\(name)", target: .list(.group(view: view, name: name), rowid: nil))
            }
        }
    }

    /// The indexes that have the row, each with its columns.
    var indexFacts: [RowSection.Fact] {
        guard let membership else { return [] }
        let rowid = row.rowid
        let columns = membership.indexes.map { entry in
            let values = entry.columns.map { "\($0.name) \($0.value.summary)" }.joined(separator: ", ")
            return RowSection.Fact(
                name: entry.index, value: values.isEmpty ? "index" : values,
                target: .list(.index(entry.index), rowid: rowid))
        }
        let texts = membership.fullText.map {
            RowSection.Fact(name: $0, value: "full text", target: .list(.fullText($0), rowid: rowid))
        }
        let boxes = membership.rTrees.map {
            RowSection.Fact(name: $0, value: "R-tree", target: .list(.rTree($0), rowid: rowid))
        }
        return columns + texts + boxes
    }

    /// The edges from the row and to it, with the other row, and what its deletion does.
    var edgeFacts: [RowSection.Fact] {
        guard let membership else { return [] }
        let facts = membership.edges.map { edge in
            let other = edge.other?.words ?? edge.target.summary
            let rules = edge.rules.words.map { ", " + $0 }.joined()
            return RowSection.Fact(
                name: edge.isOut ? "\(edge.name) to" : "\(edge.name) from", value: other + rules,
                target: edge.otherRowid.map { .stored($0) })
        }
        return facts + (membership.hasMoreEdges ? [.init(name: "", value: "… and more edges")] : [])
    }

    /// The rowid at an end of an edge, by the column that has it or its key.
    private func edgeEnd(_ column: String) -> Int64? {
        let name = ["from": "src", "to": "dst"][column] ?? column
        guard ["src", "dst"].contains(name), let value = columns.first(where: { $0.name == name })?.value.value,
            case .integer(let rowid) = value
        else { return nil }
        return rowid
    }
}

extension SQLValue {
    /// A short text of it.
    fileprivate var summary: String {
        switch self {
        case .null: "NULL"
        case .integer(let number): String(number)
        case .real(let number): String(number)
        case .text(let text): String(text.prefix(200))
        case .blob(let bytes): "\(bytes.count) bytes"
        }
    }
}
