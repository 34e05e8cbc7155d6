import Foundation

/// The default coding: keyed archives, in the form that the original stores.
///
/// An archive is a binary property list: `$objects` is a table, in which objects refer to each other by index (a UID),
/// and `$top`'s `root` names the value. Plain values stand in the table as they are; others are dictionaries whose
/// `$class` names an entry with the class's name.
///
/// Property-list values, sets, URLs and UUIDs are read and written here: Foundation's own coders stop the program on
/// damaged bytes and on values without NSCoding, where a database has to throw. Archives with other classes are left to
/// Foundation, if the program has registered all of those classes.
enum KeyedArchive {
    private static let classes = Locked<[String: ArchivedClass]>([:])

    private struct ArchivedClass: @unchecked Sendable {
        // @unchecked: a class is a constant.
        let type: AnyClass
    }

    /// Lets archives name a class of the program.
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
