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
    private static let classes = Locked<[String: ArchivedClass]>([:])

    private struct ArchivedClass: @unchecked Sendable {
        // @unchecked: a class is immutable.
        let type: AnyClass
    }

    /// The most values that may be inside each other, so that no archive needs more stack than a thread has.
    static let deepest = 200

    /// Maps a name in archives to a class of the program.
    static func register(_ type: AnyClass, as name: String) {
        classes.withLock { $0[name] = ArchivedClass(type: type) }
    }

    static var registeredClasses: [String: AnyClass] { classes.withLock { $0.mapValues(\.type) } }

    /// The name of a class in archives: the one that it is registered with, or its own.
    static func name(of type: AnyClass) throws -> String {
        let own = ArchivedClassName.name(of: type)
        let given = classes.withLock { $0.filter { $0.value.type == type && $0.key != own }.keys.min() }
        if let name = given ?? own { return name }
        throw UnnamedClass(type: type)
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
