import Foundation

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
