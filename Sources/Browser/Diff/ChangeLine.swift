import FileReading
import ObjectDecoding
import ScreenPrograms

/// A line of the panel of a change: a field as both files have it.
struct ChangeLine: Hashable, Sendable {
    var kind: ChangeKind?
    var name: String
    var before: DecodedValue?
    var after: DecodedValue?
    /// In place of a value, what is known of the row.
    var fact: String?

    /// What to copy: what the second file has, or else the first.
    var value: DecodedValue? { after ?? before }

    private static let maxLines = 12
    private static let textLimit = 2_000

    /// Returns the sign and the name, behind it both sides if they have room, else each on lines of its own with its sign.
    func cell(width: Int, nameWidth: Int, theme: Theme) -> RowCell {
        let measure = TextMeasure(theme.unicode)
        let style = kind?.style(theme) ?? theme.secondary
        let name = measure.padded(self.name, to: min(nameWidth, max(6, width / 3)))
        let head: Line = [
            Run("\(kind?.rawValue ?? " ") ", Style(style.foreground, on: .terminal, .bold)), Run(name, theme.secondary),
        ]
        let used = measure.width(of: head.text) + 2
        let (old, new) = (Self.text(before), Self.text(after))
        if kind == .updated, let old, let new {
            let (one, other) = (measure.safe(old), measure.safe(new))
            if used + measure.width(of: one) + measure.width(of: other) + 3 <= width {
                let sides = [Run(one, theme.removed), Run(" → ", theme.secondary), Run(other, theme.added)]
                return RowCell([head + [Run("  ")] + sides])
            }
            return RowCell(
                [head] + Self.lines(old, "-", theme.removed, width, measure)
                    + Self.lines(new, "+", theme.added, width, measure))
        }
        let texts = measure.wrapped(fact ?? old ?? new ?? "", width: max(8, width - used), maxLines: Self.maxLines)
        let blanks = String(repeating: " ", count: used - 2)
        return RowCell(
            texts.enumerated().map { index, text in
                (index == 0 ? head : [Run(blanks)]) + [Run("  "), Run(text, style)]
            })
    }

    private static func lines(
        _ text: String, _ sign: String, _ style: Style, _ width: Int, _ measure: TextMeasure
    ) -> [Line] {
        measure.wrapped(text, width: max(8, width - 4), maxLines: maxLines).enumerated().map { index, text in
            [Run("  \(index == 0 ? sign : " ") ", style), Run(text, style)]
        }
    }

    private static func text(_ value: DecodedValue?) -> String? {
        value.map { value in
            if case .string(let text) = value { return "\"\(text.prefix(textLimit))\"" }
            return value.summary(limit: textLimit)
        }
    }
}

/// A part of the panel.
struct ChangeSection: Hashable, Sendable {
    var title: String
    var lines: [ChangeLine]
}

extension ChangeDetails {
    /// The panel: what differs, then what is alike, then what the row is.
    var sections: [ChangeSection] {
        var sections: [ChangeSection] = []
        func add(_ title: String, _ lines: [ChangeLine]) {
            if !lines.isEmpty { sections.append(ChangeSection(title: title, lines: lines)) }
        }
        switch change {
        case .row(_, .updated):
            add("Object", object.map(Self.line))
            add("Metadata", metadata.map(Self.line))
            add("Alike", equalFields.map { ChangeLine(kind: nil, name: $0.name ?? "", after: $0.value) })
        case .row(_, let kind):
            let isNew = kind == .inserted
            add("Object", Self.lines(isNew ? values.after : values.before, isNew))
            add("Metadata", metadata.map(Self.line))
        case .place:
            add("Object", object.map(Self.line))
            add("Alike", equalFields.map { ChangeLine(kind: nil, name: $0.name ?? "", after: $0.value) })
        default: break
        }
        add("Where", facts)
        return sections
    }

    private static func line(_ field: FieldDifference) -> ChangeLine {
        let kind: ChangeKind = field.before == nil ? .inserted : field.after == nil ? .deleted : .updated
        let path = field.path.description
        let name = path == "$" ? "value" : path.hasPrefix("$.") ? String(path.dropFirst(2)) : path
        return ChangeLine(kind: kind, name: name, before: field.before, after: field.after)
    }

    private static func lines(_ value: DecodedValue?, _ isNew: Bool) -> [ChangeLine] {
        guard let value else { return [] }
        func line(_ name: String, _ value: DecodedValue) -> ChangeLine {
            ChangeLine(
                kind: isNew ? .inserted : .deleted, name: name, before: isNew ? nil : value,
                after: isNew ? value : nil)
        }
        guard let fields = value.fields, !fields.isEmpty else { return [line("value", value)] }
        return fields.map { line($0.name ?? $0.key.summary(limit: 40), $0.value) }
    }

    private var facts: [ChangeLine] {
        func fact(_ name: String, _ text: String) -> ChangeLine {
            ChangeLine(kind: nil, name: name, after: .string(text), fact: text.asName)
        }
        var facts: [ChangeLine] = []
        if let address = change.address {
            facts += [fact("collection", address.collection.text), fact("key", address.key.text)]
        }
        if case .row = change {} else { facts += [fact("view", change.container), fact("change", change.name)] }
        for (name, row) in [("first", before), ("second", after)] {
            guard let row else { continue }
            let bytes = FileFacts.bytes((row.object?.size ?? 0) + (row.metadata?.size ?? 0))
            facts.append(fact("in the \(name)", row.error ?? "rowid \(row.rowid), \(bytes)"))
        }
        return facts
    }
}
