import FileReading

extension FileFacts {
    /// The facts about the file with their names, for display.
    var named: [(name: String, value: String)] {
        var facts = [
            ("size", Self.bytes(size)), ("pages", RowCount(pages).description), ("page size", Self.bytes(pageSize)),
            ("free space", Self.bytes(freePages * pageSize)), ("write-ahead log", Self.bytes(logSize)),
            ("layout version", String(userVersion)), ("text encoding", encoding),
        ]
        if applicationID != 0 { facts.append(("application id", String(applicationID))) }
        if let snapshot { facts.insert(("snapshot", "#" + RowCount(snapshot).description), at: 0) }
        if let followed {
            if followed.rejected > 0 {
                facts.insert(("rejected mutations", RowCount(followed.rejected).description), at: 0)
            }
            if followed.pending > 0 {
                facts.insert(("waiting mutations", RowCount(followed.pending).description), at: 0)
            }
            facts.insert(("follows", "\(followed.name), commit \(followed.number)"), at: 0)
        }
        return facts.map { (name: $0.0, value: $0.1) }
    }

    /// `412 B`, `1.2 MB`.
    static func bytes(_ count: Int) -> String {
        var value = Double(count)
        for unit in ["B", "kB", "MB", "GB", "TB"] {
            if value < 999.5 || unit == "TB" {
                let digits = unit == "B" || value >= 99.5 ? "\(Int(value.rounded()))" : tenths(value)
                return "\(digits) \(unit)"
            }
            value /= 1000
        }
        return "\(count) B"
    }

    private static func tenths(_ value: Double) -> String {
        let tenths = Int((value * 10).rounded())
        return tenths.isMultiple(of: 10) ? "\(tenths / 10)" : "\(tenths / 10).\(tenths % 10)"
    }
}
