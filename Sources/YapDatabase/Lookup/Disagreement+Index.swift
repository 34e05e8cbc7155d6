extension Disagreement {
    init(_ difference: IndexDifference) {
        switch difference {
        case .missingRow: self.init(stored: "no columns", answer: "columns")
        case .extraRow: self.init(stored: "columns", answer: "no columns")
        case .column(let name, let stored, let expected):
            self.init(stored: "\(stored.shown) in the column \"\(name)\"", answer: expected.shown)
        }
    }
}

extension SQLValue {
    /// The value for a message. Long texts are cut.
    fileprivate var shown: String {
        switch self {
        case .null: "NULL"
        case .integer(let integer): "\(integer)"
        case .real(let real): "\(real)"
        case .text(let text): text.count > 40 ? "\"\(text.prefix(40))…\"" : "\"\(text)\""
        case .blob(let bytes): "\(bytes.count) bytes"
        }
    }
}
