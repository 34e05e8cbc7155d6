import Foundation

/// The default coding: keyed archives, in the form that the original stores.
///
/// An archive is a binary property list: `$objects` is a table of objects that refer to each other by index (a UID),
/// and `root` in `$top` refers to the value. Plain values are stored directly in the table; other objects are
/// dictionaries whose `$class` refers to an entry with the class's name.
///
/// This code reads and writes property-list values, sets, URLs, UUIDs and the original's collection keys. Foundation's
/// coders stop the program on damaged bytes and on values without NSCoding, where a database must throw. Archives with
/// other classes go to Foundation, if the program has registered all of those classes.
enum KeyedArchive {
    private static let classes = Locked<[String: ArchivedClass]>([:])

    private struct ArchivedClass: @unchecked Sendable {
        // @unchecked: a class is immutable.
        let type: AnyClass
    }

    /// Maps a name in archives to a class of the program.
    static func register(_ type: AnyClass, as name: String) {
        classes.withLock { $0[name] = ArchivedClass(type: type) }
    }

    static var registeredClasses: [String: AnyClass] { classes.withLock { $0.mapValues(\.type) } }
}

extension ValueCoding {
    static let keyedArchive = ValueCoding(
        encode: { _, value in try KeyedArchive.encode(value) },
        decode: { _, data in try KeyedArchive.decode(data) })
}
