/// The amounts that may still be decoded, counted down during decoding.
struct Budget {
    private(set) var values: Int
    private(set) var text: Int
    let depthLimit: Int
    /// The first thing found damaged.
    private(set) var damage: String?
    /// Whether a text is not quite that of the bytes.
    var isInexact = false

    init(_ options: DecodingOptions, size: Int) {
        values = options.valueLimit
        text = max(options.textLimit, 4 * size)
        depthLimit = min(options.depthLimit, 500)
    }

    /// Takes values from the budget; false if fewer are left.
    mutating func spend(values count: Int) -> Bool {
        guard count <= values else { return false }
        values -= count
        return true
    }

    mutating func give(values count: Int) { values += count }

    mutating func spend(text bytes: Int) -> Bool {
        guard bytes <= text else { return false }
        text -= bytes
        return true
    }

    mutating func damaged(_ problem: String) -> DecodedValue {
        damage = damage ?? problem
        return .damaged(problem)
    }
}

extension DecodedValue {
    static func tooMany(_ count: Int) -> DecodedValue {
        .omitted(count == 1 ? "1 more value" : "\(count.grouped) more values")
    }

    static func tooLong(_ bytes: Int) -> DecodedValue { .omitted("\(bytes.grouped) bytes") }

    static func tooDeep(_ limit: Int) -> DecodedValue { .omitted("deeper than \(limit.grouped) levels") }
}

extension [DecodedField] {
    /// Appends a mark for fields that were left out.
    mutating func appendOmitted(_ count: Int) { append(DecodedField(key: .tooMany(count), value: .tooMany(count))) }
}

extension Int {
    /// The number with a comma every three digits.
    package var grouped: String {
        var digits = Array(String(magnitude))
        for place in stride(from: digits.count - 3, to: 0, by: -3) { digits.insert(",", at: place) }
        return (self < 0 ? "-" : "") + String(digits)
    }
}
