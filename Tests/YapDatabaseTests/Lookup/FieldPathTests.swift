import Testing

@testable import YapDatabase

/// The name of a stored property is that of the field at its place; the description of the path has the same.
@Suite struct FieldPathTests {
    private struct Nothing {}
    private struct Wrapper { var value: Int }
    private struct Double2<Value> { var (first, second): (Value, Value) }
    private final class Box { var number = 1 }
    private struct Author {
        var name: String
        var born: Int?
        var wrapped: Wrapper
    }
    private struct Padded {
        var none: Nothing
        var nothing: Nothing
        var title: String
    }
    private struct Book {
        var title: String
        let author: Author
        var flag: Bool
        var second: Author?
        var both: Double2<Author>
        var wrapper: Wrapper
        var pair: (a: Int, b: String)
        var box: Box
        var 名前: [String: Int]
        var `class`: Int8
        unowned var owner: Box
        private(set) lazy var late = 1

        var computed: Int { flag ? 1 : 0 }
    }

    private static let stored: [(AnyKeyPath & Sendable, String)] = [
        (\Book.title, "title"), (\Book.author, "author"), (\Book.author.name, "author.name"),
        (\Book.author.born, "author.born"), (\Book.author.wrapped, "author.wrapped"),
        (\Book.author.wrapped.value, "author.wrapped.value"), (\Book.flag, "flag"), (\Book.second, "second"),
        (\Book.both, "both"), (\Book.both.first, "both.first"), (\Book.both.second.name, "both.second.name"),
        (\Book.wrapper, "wrapper"), (\Book.wrapper.value, "wrapper.value"), (\Book.box, "box"),
        (\Book.名前, "名前"), (\Book.class, "class"), (\Double2<Int>.second, "second"),
    ]

    @Test func aStoredPropertyHasTheNameOfItsField() {
        for (path, name) in Self.stored {
            #expect(FieldPath(path).storedName == name && FieldPath(path).describedName == name)
        }
    }

    /// No field has these places, so that only the description can tell what they are.
    @Test(
        arguments: [
            (\Book.computed, nil), (\Book.second?.name, "second.name"), (\Book.second!.born, "second.born"),
            (\Book.box.number, "box.number"), (\Book.title.count, nil), (\Book.名前["a"], nil), (\Book.self, "self"),
            (\[Int][0], nil),
        ] as [(AnyKeyPath & Sendable, String?)])
    func anotherPathHasTheNameOfItsDescription(path: AnyKeyPath & Sendable, name: String?) {
        let field = FieldPath(path)
        #expect(field.storedName == nil && field.name == name)
        #expect(field.name == field.describedName)
    }

    /// The description takes the first field at the place, although it has no size.
    @Test func fieldsWithoutSizeAreNotMistakenForTheProperty() {
        #expect(FieldPath(\Padded.title).name == "title")
        #expect(FieldPath(\Padded.nothing).storedName == nil)
    }

    @Test func theElementsOfATupleHaveNoFields() {
        for path in [\Book.pair.a, \Book.pair.b] as [AnyKeyPath] {
            #expect(FieldPath(path).storedName == nil && FieldPath(path).name == FieldPath(path).describedName)
        }
    }
}
