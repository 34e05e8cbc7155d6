/// An object of a program's class, as a keyed archive holds it.
struct ArchivedObject {
    enum Field {
        /// A number or a truth value.
        case inline(BinaryPropertyList)
        /// Any plain value; nil for the archive's null.
        case object(Any?)
        /// The same, or null if it is one of the objects that contain this one.
        case conditional(Any?)
    }

    /// The name of the class, then those of its superclasses.
    var classes: [String]
    var fields: [String: Field]

    /// Names that begin with a dollar sign are the archive's own.
    static func escaped(_ name: String) -> String { name.hasPrefix("$") ? "$" + name : name }
    static func unescaped(_ name: String) -> String { name.hasPrefix("$$") ? String(name.dropFirst()) : name }
}
