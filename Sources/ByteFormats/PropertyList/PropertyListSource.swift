/// A property list as a table of objects that refer to each other by index.
package protocol PropertyListSource {
    /// How many objects there are.
    var count: Int { get }
    var root: Int { get }

    /// - Complexity: O(1), whatever the object's size.
    func object(_ index: Int) throws(MalformedPropertyList) -> PropertyListObject

    /// The index of a child, which may lead nowhere.
    func reference(_ children: PropertyListObject.Children, _ place: Int) -> Int

    func string(_ piece: PropertyListObject.Piece) -> String
    func data(_ piece: PropertyListObject.Piece) -> [UInt8]

    /// Whether a string is this ASCII text. Makes no string.
    func string(_ piece: PropertyListObject.Piece, is text: StaticString) -> Bool
}
