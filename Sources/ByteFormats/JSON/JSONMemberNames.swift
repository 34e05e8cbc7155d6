/// Names of members that are looked for in JSON objects.
///
/// Names are equal as strings are: `é` is one name, however it is composed.
package struct JSONMemberNames: Sendable {
    package let texts: [String]
    /// The UTF-8 of all names, one after the other, and where each ends.
    private let bytes: [UInt8]
    private let ends: [Int]
    private let areASCII: Bool

    package init(_ texts: [String]) {
        self.texts = texts.reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
        bytes = self.texts.flatMap { Array($0.utf8) }
        ends = self.texts.reduce(into: []) { $0.append(($0.last ?? 0) + $1.utf8.count) }
        areASCII = bytes.allSatisfy { $0 < 0x80 }
    }

    package var isEmpty: Bool { texts.isEmpty }

    /// Returns the place of a name in ``texts``; nil if it is not looked for.
    func place(of name: UnsafeRawBufferPointer) -> Int? {
        var start = 0
        for (place, end) in ends.enumerated() {
            if end - start == name.count, hasBytes(of: name, from: start) { return place }
            start = end
        }
        // Some characters beyond ASCII are equal to one of ASCII, such as the Kelvin sign.
        if areASCII, name.isASCII { return nil }
        return texts.firstIndex(of: String(decoding: name, as: UTF8.self))
    }

    private func hasBytes(of name: UnsafeRawBufferPointer, from start: Int) -> Bool {
        for (place, byte) in name.enumerated() where bytes[start + place] != byte { return false }
        return true
    }
}
