/// A property list as a table of objects that refer to each other by index.
package protocol PropertyListSource {
    /// The number of objects.
    var count: Int { get }
    var root: Int { get }

    /// Returns the object at an index.
    /// - Complexity: O(1), whatever the object's size.
    func object(_ index: Int) throws(MalformedPropertyList) -> PropertyListObject

    /// Returns the index of a child, which may be invalid.
    func reference(_ children: PropertyListObject.Children, _ place: Int) -> Int

    func string(_ piece: PropertyListObject.Piece) -> String
    /// Whether the text of a piece has all that is in its bytes.
    func isUnicode(_ piece: PropertyListObject.Piece) -> Bool
    func data(_ piece: PropertyListObject.Piece) -> [UInt8]

    /// Whether a string is this ASCII text. Creates no string.
    func string(_ piece: PropertyListObject.Piece, is text: StaticString) -> Bool
}
