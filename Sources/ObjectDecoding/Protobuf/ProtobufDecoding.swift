/// Decodes Protobuf's wire format without a schema: field numbers and four kinds of bytes, whose meaning is guessed.
///
/// A message becomes a dictionary from field numbers to values, in the order of the bytes; repeated fields become
/// arrays. A length-delimited field is text if it is UTF-8 without control characters, else a message if it can be read
/// as one, else data. Varints are integers (those of 64 bits negative). Fixed fields are floating-point numbers if the
/// value has an ordinary size, else integers.
struct ProtobufDecoding {
    /// The most levels of messages. Every level reads its bytes once, so this bounds the time too.
    private static let depthLimit = 32
    /// Greater field numbers are legal but not used in practice.
    private static let numberLimit: UInt64 = 1 << 18

    private let bytes: UnsafeRawBufferPointer
    private var budget: Budget

    /// Decodes a message; nil unless all bytes belong to it.
    static func decode(_ bytes: UnsafeRawBufferPointer, _ budget: Budget) -> DecodedValue? {
        var decoder = ProtobufDecoding(bytes: bytes, budget: budget)
        return decoder.message(0..<bytes.count, depth: 0)
    }

    private mutating func message(_ range: Range<Int>, depth: Int) -> DecodedValue? {
        guard !range.isEmpty, depth < Self.depthLimit else { return nil }
        var position = range.lowerBound
        var fields = ProtobufFields()
        while position < range.upperBound {
            guard let key = varint(&position, range.upperBound), (1..<Self.numberLimit).contains(key >> 3),
                budget.spend(values: 1), let value = value(kind: key & 7, &position, range.upperBound, depth: depth)
            else { return nil }
            fields.add(value, number: Int(key >> 3))
        }
        return .dictionary(fields.fields)
    }

    private mutating func value(
        kind: UInt64, _ position: inout Int, _ end: Int, depth: Int
    ) -> DecodedValue? {
        switch kind {
        case 0: return varint(&position, end).map { .integer(Int64(bitPattern: $0)) }
        case 1:
            return fixed(8, &position, end).map { ordinary(Double(bitPattern: $0)) ?? .integer(Int64(bitPattern: $0)) }
        case 2:
            guard let length = varint(&position, end), length <= UInt64(end - position) else { return nil }
            let range = position..<position + Int(length)
            position = range.upperBound
            return delimited(range, depth: depth)
        case 5:
            return fixed(4, &position, end).map { bits in
                let bits = UInt32(truncatingIfNeeded: bits)
                return ordinary(Double(Float(bitPattern: bits))) ?? .integer(Int64(bits))
            }
        default: return nil
        }
    }

    private mutating func delimited(_ range: Range<Int>, depth: Int) -> DecodedValue? {
        let slice = UnsafeRawBufferPointer(rebasing: bytes[range])
        if let text = PlainText.readable(slice) {
            return budget.spend(text: range.count) ? .string(text) : .tooLong(range.count)
        }
        let before = budget
        if let message = message(range, depth: depth + 1) { return message }
        budget = before
        return budget.spend(text: range.count) ? .data(Array(slice)) : .tooLong(range.count)
    }

    private func ordinary(_ number: Double) -> DecodedValue? {
        number.isFinite && (number == 0 || (1e-9...1e15).contains(abs(number))) ? .double(number) : nil
    }

    private func fixed(_ width: Int, _ position: inout Int, _ end: Int) -> UInt64? {
        guard end - position >= width else { return nil }
        defer { position += width }
        return (0..<width).reduce(0) { $0 | UInt64(bytes[position + $1]) << UInt64(8 * $1) }
    }

    /// Reads a varint in its shortest form: longer forms are legal, but no encoder writes them.
    private func varint(_ position: inout Int, _ end: Int) -> UInt64? {
        var value: UInt64 = 0
        for place in 0..<10 {
            guard position < end else { return nil }
            let byte = bytes[position]
            position += 1
            value |= UInt64(byte & 0x7f) << UInt64(7 * place)
            if byte < 0x80 { return (byte == 0 && place > 0) || (place == 9 && byte > 1) ? nil : value }
        }
        return nil
    }
}

/// The fields of a message read so far.
private struct ProtobufFields {
    private(set) var fields: [DecodedField] = []
    private var places: [Int: Int] = [:]
    private var repeated: Set<Int> = []

    mutating func add(_ value: DecodedValue, number: Int) {
        guard let place = places[number] else {
            places[number] = fields.count
            return fields.append(DecodedField(String(number), value))
        }
        guard repeated.insert(number).inserted, case let first = fields[place].value else {
            return fields[place].append(value)
        }
        fields[place].value = .array([first, value])
    }
}

extension DecodedField {
    /// Appends to an array value in place.
    fileprivate mutating func append(_ element: DecodedValue) {
        guard case .array(var elements) = value else { return }
        value = .null
        elements.append(element)
        value = .array(elements)
    }
}
