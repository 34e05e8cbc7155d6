/// A complete `ESC [ … final`, parsed.
struct ControlSequence {
    /// A private marker before the parameters: one of `<`, `=`, `>`, `?`.
    let prefix: UInt8?
    /// The parameters, each with the parts that refine it after colons; nil if one is left out or too large.
    private let numbers: [[Int?]]
    let intermediates: [UInt8]
    let final: UInt8

    /// Parses a complete sequence, from its ESC to its final character.
    init(_ bytes: [UInt8]) {
        var body = bytes.dropFirst(2).dropLast()
        final = bytes[bytes.count - 1]
        if let first = body.first, (0x3C...0x3F).contains(first) {
            prefix = first
            body = body.dropFirst()
        } else {
            prefix = nil
        }
        let parameters = body.prefix { (0x30...0x3F).contains($0) }
        intermediates = Array(body.dropFirst(parameters.count))
        numbers = parameters.split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: false).map { parameter in
            parameter.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false).map(Self.number)
        }
    }

    var isPlain: Bool { prefix == nil && intermediates.isEmpty }

    /// Returns a parameter by its position, or a part of it; nil if there is none.
    func number(_ index: Int, part: Int = 0) -> Int? {
        index < numbers.count && part < numbers[index].count ? numbers[index][part] : nil
    }

    private static func number(_ digits: ArraySlice<UInt8>) -> Int? {
        guard !digits.isEmpty, digits.count < 10, digits.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        return digits.reduce(0) { $0 * 10 + Int($1 - 0x30) }
    }
}
