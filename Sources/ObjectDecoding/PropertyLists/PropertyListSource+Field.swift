import ByteFormats

extension PropertyListSource {
    /// Returns the index of the value under a name; nil if there is none.
    ///
    /// - Complexity: O(fields)
    func field(_ name: StaticString, of children: PropertyListObject.Children) -> Int? {
        (0..<children.count).first { isKey(reference(children, $0), name) }
            .map { reference(children, children.count + $0) }
    }

    /// Whether the object is a string equal to `name`.
    func isKey(_ index: Int, _ name: StaticString) -> Bool {
        guard case .string(let piece)? = try? object(index) else { return false }
        return string(piece, is: name)
    }
}
