import Foundation

/// The default coding: keyed archives, in the form that the original stores.
///
/// An archive is a binary property list: `$objects` is a table of objects that refer to each other by index (a UID),
/// and `root` in `$top` refers to the value. Plain values are stored directly in the table; other objects are
/// dictionaries whose `$class` refers to an entry with the class's name.
///
/// This code reads and writes property-list values, sets, URLs, UUIDs, the original's collection keys and objects of the
/// program's classes. Foundation's coders stop the program on damaged bytes, on values without NSCoding and on nested classes,
/// where a database must throw. Only archives with objects of Foundation's own classes go to Foundation, if the program has
/// registered those classes.
enum KeyedArchive {
    private static let classes = Locked<[String: AnyClass]>([:])

    /// The most values that may be inside each other, so that no archive needs more stack than a thread has.
    static let deepest = 200

    /// Maps a name in archives to a class of the program.
    static func register(_ type: AnyClass, as name: String) {
        classes.withLock { $0[name] = type }
    }

    static var registeredClasses: [String: AnyClass] { classes.withLock { $0 } }

    /// The name of a class in archives: the one that it is registered with, or its own.
    static func name(of type: AnyClass) throws -> String {
        let own = ArchivedClassName.name(of: type)
        let given = classes.withLock { $0.filter { $0.value == type && $0.key != own }.keys.min() }
        if let name = given ?? own { return name }
        throw UnnamedClass(type: type)
    }

    /// Whether an archive may name the class so: what is stored under another name could not be read again.
    static func offers(_ type: AnyClass, as name: String) -> Bool {
        classes.withLock { $0[name] != nil } || type is any YapDatabaseArchivable.Type
    }

    /// The names of an object's class and of its superclasses.
    static func names(of object: AnyObject) throws -> [String] {
        var names = [try name(of: type(of: object))]
        var mirror = Mirror(reflecting: object).superclassMirror
        while let type = mirror?.subjectType as? AnyClass, type != NSObject.self {
            names.append((try? name(of: type)) ?? String(reflecting: type))
            mirror = mirror?.superclassMirror
        }
        return names + ["NSObject"]
    }
}

extension ValueCoding {
    static let keyedArchive = ValueCoding(
        encode: { _, value in try KeyedArchive.encode(value) },
        decode: { _, bytes in try KeyedArchive.decode(Data(stored: bytes)) })
}

/// An object of a program's class, as a keyed archive holds it.
struct ArchivedObject {
    enum Field {
        /// A number or a truth value.
        case inline(BinaryPropertyList)
        /// Any plain value; nil for the archive's null.
        case object(Any?)
        /// An object, or null if it is one of the objects that contain this one.
        case conditional(Any?)
    }

    /// The name of the class, then those of its superclasses.
    var classes: [String]
    var fields: [String: Field]

    /// Names that begin with a dollar sign are the archive's own.
    static func escaped(_ name: String) -> String { name.hasPrefix("$") ? "$" + name : name }
    static func unescaped(_ name: String) -> String { name.hasPrefix("$$") ? String(name.dropFirst()) : name }
}

/// A class that keyed archives may name without ``YapDatabase/registerArchivedClass(_:as:)``.
///
/// A file is untrusted, so its archives make objects of those classes only that the program has registered or that conform to this.
/// It is for classes that implement `NSCoding`, are declared at the top of a file and are not generic; an archive names them by
/// module and class, such as `Shop.BarcodeCoder`. Their `init(coder:)` must take any archive: where a field is missing or of another
/// type, it returns nil.
public protocol YapDatabaseArchivable {}

/// The names by which classes are found again: a module and a class at the top of one of its files.
enum ArchivedClassName {
    /// The class's name by which it is found again; nil if it is nested, private or generic.
    static func name(of type: AnyClass) -> String? {
        let name = String(reflecting: type)
        return isPlain(name) ? name : nil
    }

    /// The class that an archive may name without registration. The name comes from the file.
    static func type(named name: String) -> AnyClass? {
        guard isPlain(name), let type = NSClassFromString(name), type is any YapDatabaseArchivable.Type,
            type is any NSCoding.Type
        else { return nil }
        return type
    }

    /// Whether the class is Foundation's. Its `init(coder:)` may need Foundation's own coders.
    static func isOfFoundation(_ type: AnyClass) -> Bool { String(reflecting: type).hasPrefix("Foundation.") }

    /// Whether the name is a module and a class of it.
    static func isPlain(_ name: String) -> Bool {
        let parts = name.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 2 && name.utf8.count < 1_000
            && parts.allSatisfy { part in
                part.first.map { !$0.isNumber } ?? false
                    && part.allSatisfy { $0.isASCII && ($0 == "_" || $0.isLetter || $0.isNumber) }
            }
    }
}

/// A class that no archive can name.
struct UnnamedClass: Error, CustomStringConvertible {
    let type: AnyClass
    var description: String {
        "The class \(String(reflecting: type)) is nested in another type, private or generic, so that no archive can name it. Register "
            + "it with YapDatabase.registerArchivedClass(_:as:)."
    }
}

/// A class that the program has, of which no archive may make an object. So nothing of it is stored: the next program that reads the
/// archive could not tell it from a class that a stranger wrote into the file.
struct UnofferedClass: Error, CustomStringConvertible {
    let type: AnyClass
    var description: String {
        let (name, own) = (NSStringFromClass(type), "\(type)")
        let conformance =
            ArchivedClassName.isOfFoundation(type) ? "" : ", or declare `extension \(own): YapDatabaseArchivable {}`"
        return
            "An object of the class \(name) could not be read again, because archives may name only classes that the program offers. "
            + "When the program begins, call YapDatabase.registerArchivedClass(\(own).self, as: \"\(own)\")\(conformance)."
    }
}
