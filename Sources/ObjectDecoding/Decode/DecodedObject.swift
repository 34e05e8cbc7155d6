import ByteFormats

/// What became of a row's bytes.
package struct DecodedObject: Hashable, Sendable {
    package let value: DecodedValue
    /// The formats, from the outermost: `[.gzip, .json]` for compressed JSON.
    package let formats: [ObjectFormat]
    /// The number of stored bytes.
    package let size: Int
    /// A description of the problem: why the bytes could not be decoded, or what is damaged in a decoded value.
    package let error: String?
    /// Whether only the beginning of the decompressed bytes is present.
    package let isCut: Bool
    /// Whether a text of the value is not quite that of the bytes: what is no Unicode in it is U+FFFD. Other bytes may give the same value.
    package let isInexact: Bool

    /// What is to be said of the value: the error, or that it is inexact.
    package var remark: String? { error ?? (isInexact ? Self.inexact : nil) }

    private static let inexact =
        "A text has bytes, or half of a surrogate pair, that are no Unicode. U+FFFD stands for them."

    package init(
        value: DecodedValue, formats: [ObjectFormat], size: Int, error: String? = nil, isCut: Bool = false,
        isInexact: Bool = false
    ) {
        self.value = value
        self.formats = formats
        self.size = size
        self.error = error
        self.isCut = isCut
        self.isInexact = isInexact
    }
}

extension DecodedObject {
    init(
        _ value: DecodedValue, _ format: ObjectFormat, _ bytes: UnsafeRawBufferPointer, damage: String? = nil,
        isCut: Bool = false, isInexact: Bool = false
    ) {
        self.init(
            value: value, formats: [format], size: bytes.count, error: damage, isCut: isCut, isInexact: isInexact)
    }

    /// Returns the object with the failure of its probable format added.
    func with(_ failure: DecodingError?) -> DecodedObject {
        DecodedObject(
            value: value, formats: formats, size: size, error: failure?.sentence ?? error, isCut: isCut,
            isInexact: isInexact)
    }
}

extension DecodedObject {
    /// Whether the value does not say all of its bytes: something is left out by a limit, damaged, or a text that is no Unicode.
    package var isPartial: Bool { isCut || isInexact || value.hasGap }
}

extension DecodedValue {
    fileprivate var hasGap: Bool {
        switch self {
        case .omitted, .damaged: true
        case .array(let values), .set(let values): values.contains(where: \.hasGap)
        case .dictionary(let fields), .object(_, let fields):
            fields.contains { $0.key.hasGap || $0.value.hasGap }
        default: false
        }
    }
}

extension DecodedObject {
    package var json: String {
        var bytes: [UInt8] = []
        appendJSON(to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Appends the JSON form of the value; where something is wrong with a value that could be decoded,
    /// `{"$partial": value, "error": "…"}`.
    func appendJSON(to bytes: inout [UInt8]) {
        guard let remark, !value.saysWhatIsWrong else { return value.appendJSON(to: &bytes) }
        bytes.append(#"{"$partial":"#)
        value.appendJSON(to: &bytes)
        bytes.append(#","error":"#)
        bytes.appendJSON(remark)
        bytes.append("}")
    }
}

extension DecodedValue {
    fileprivate var saysWhatIsWrong: Bool { if case .bytes = self { true } else { false } }
}
