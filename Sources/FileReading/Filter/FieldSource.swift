import ByteFormats
import FileEngine
import ObjectDecoding
import SQLiteBridge

/// Gives the fields of expressions that are in the object, or in the metadata, of a row: out of the stored bytes where these are an object in
/// JSON, else by decoding all of them. Both give the same values. For one thread.
final class FieldSource {
    /// A field with the members in which it can be.
    private struct Field {
        let path: FieldPath
        /// The place of the member that has the whole path as its name, where that is not one name.
        let whole: Int?
        /// The place of the member that the path begins with; nil if the value must be decoded.
        let first: Int?
    }

    /// By the number of the field; nil for fields that are elsewhere.
    private let fields: [Field?]
    private let isNeeded: Bool
    /// The members that are read; nil if the value must be decoded.
    private let names: JSONMemberNames?
    private let decoder: RowDecoder
    private var members: [UnsafeRawBufferPointer?] = []
    private var hasMembers = false
    private var decoded: DecodedValue?

    /// - Parameter paths: by the number of the field; nil for fields that are elsewhere.
    init(_ paths: [FieldPath?], _ decoder: RowDecoder) {
        self.decoder = decoder
        let lists = paths.compactMap(\.self).map(\.memberNames)
        let names = JSONMemberNames(lists.flatMap { $0 ?? [] })
        self.names = lists.contains(nil) ? nil : names
        isNeeded = !lists.isEmpty
        fields = paths.map { path in
            guard let path else { return nil }
            let places = (path.memberNames ?? []).compactMap { names.place(of: $0) }
            return Field(path: path, whole: places.count > 1 ? places[0] : nil, first: places.last)
        }
    }

    /// Reads what is needed of a value.
    /// - Parameter bytes: those of the value. They must not change until the next value is read, or the fields are not used any more.
    /// - Returns: why it cannot be decoded, if it cannot.
    func read(_ value: StoredValue?, _ bytes: UnsafeRawBufferPointer, of row: BrowsedRow) -> String? {
        (hasMembers, decoded) = (false, nil)
        guard isNeeded, let value else { return nil }
        if let names { hasMembers = decoder.find(names, in: value, bytes, of: row, &members) }
        if hasMembers { return nil }
        let object = decoder.decode(value, of: row)
        decoded = object.value
        return object.error
    }

    /// Binds a field to its parameter, without copying its text.
    /// - Parameter isPrinted: whether a number is wanted as it is stored, which takes as long as to read it.
    func bind(_ number: Int, to statement: SQLiteStatement, isPrinted: Bool) throws -> BoundField {
        guard let field = fields[number] else { return .missing }
        if hasMembers, let text = field.whole.flatMap({ members[$0] }) ?? oneName(field) {
            return try statement.bind(json: text, at: number + 1, isPrinted: isPrinted)
        }
        return try value(of: field).map { try statement.bind($0, at: number + 1) } ?? .missing
    }

    private func oneName(_ field: Field) -> UnsafeRawBufferPointer? {
        field.path.isOneName ? field.first.flatMap { members[$0] } : nil
    }

    private func value(of field: Field) -> DecodedValue? {
        guard hasMembers else { return decoded.flatMap { field.path.value(in: $0) } }
        return field.first.flatMap { members[$0] }.flatMap {
            field.path.value(inMember: decoder.decode(member: $0))
        }
    }
}

extension SQLiteStatement {
    /// Binds what ``DecodedValue/sqlValue`` is of a value in JSON. A text is not copied.
    fileprivate func bind(json text: UnsafeRawBufferPointer, at index: Int, isPrinted: Bool) throws -> BoundField {
        switch text[0] {
        case UInt8(ascii: "\""):
            let content = UnsafeRawBufferPointer(rebasing: text[1..<text.count - 1])
            guard content.firstSpecial(from: 0) == content.count else { break }
            try bind(borrowingText: content, at: index)
            return .whole
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
            var scanner = JSONScanner(text)
            guard let number = try? scanner.number() else { break }
            if let integer = number.integer, integer != 0 || !number.isNegative {
                try bind(Int64(integer), at: index)
                return .whole
            }
            let text = number.string
            if !number.isWhole, let real = Double(text), real.isFinite {
                try bind(real, at: index)
                return !isPrinted || real.description == text ? .whole : .number(stored: text, isNull: false)
            }
        default: break
        }
        return try bind(RowDecoder().decode(member: text), at: index)
    }
}
