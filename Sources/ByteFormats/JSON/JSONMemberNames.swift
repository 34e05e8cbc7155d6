/// Names of members that are looked for in JSON objects.
///
/// Names are equal as strings are: `é` is one name, however it is composed.
package struct JSONMemberNames: Sendable {
    package let texts: [String]
    /// The UTF-8 of all names, one after the other, and where each ends.
    private let bytes: [UInt8]
    private let ends: [Int]

    package init(_ texts: [String]) {
        self.texts = texts.reduce(into: []) { found, text in
            if !found.contains(where: { $0.utf8.elementsEqual(text.utf8) }) { found.append(text) }
        }
        bytes = self.texts.flatMap { Array($0.utf8) }
        ends = self.texts.reduce(into: []) { $0.append(($0.last ?? 0) + $1.utf8.count) }
    }

    /// Returns the place of a name in ``texts``, where names are compared by their bytes; nil if it is not looked for.
    package func place(of name: String) -> Int? {
        var name = name
        return name.withUTF8 { place(of: UnsafeRawBufferPointer($0)) }
    }

    func place(of name: UnsafeRawBufferPointer) -> Int? {
        var start = 0
        for (place, end) in ends.enumerated() {
            if end - start == name.count, hasBytes(of: name, from: start) { return place }
            start = end
        }
        return nil
    }

    private func hasBytes(of name: UnsafeRawBufferPointer, from start: Int) -> Bool {
        for (place, byte) in name.enumerated() where bytes[start + place] != byte { return false }
        return true
    }
}
