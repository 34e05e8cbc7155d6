import ListChanges

/// Which extensions read from which, by their names. There may be hundreds of extensions, and a write notifies only those that it concerns.
///
/// Follows from the list of extensions alone. Made in O(extensions), and kept by ``WriterMemory`` until another list is registered.
final class ExtensionLinks {
    private let extensions: [(name: String, extension: any ExtensionHooks)]
    /// The names of the extensions that only report changes, in the order of their registration.
    let observers: [String]
    /// The names of the others.
    let notified: [String]
    private var places = ExactDictionary<Int>()
    private var dependents = ExactDictionary<[String]>()
    private var listeners = ExactDictionary<[String]>()

    init(_ extensions: [(name: String, extension: any ExtensionHooks)]) {
        self.extensions = extensions
        observers = extensions.filter { $0.extension.isObserver }.map(\.name)
        notified = extensions.filter { !$0.extension.isObserver }.map(\.name)
        for (place, (name, one)) in extensions.enumerated() {
            places[name] = place
            for other in one.dependencies { dependents[other, default: []].append(name) }
            for collection in one.collections?.whitelist ?? [] {
                listeners[collection.text, default: []].append(name)
            }
        }
    }

    /// Whether the links were made from this list of extensions.
    func isOf(_ others: [(name: String, extension: any ExtensionHooks)]) -> Bool {
        extensions.elementsEqual(others) { $0.extension === $1.extension && $0.name.hasSameBytes(as: $1.name) }
    }

    /// Where an extension is in the list; nil if it is not registered.
    func place(of name: String) -> Int? { places[name] }

    /// The extensions that depend on one, in the order of their registration.
    func dependents(of name: String) -> [String] { dependents[name] ?? [] }

    /// The extensions that name this collection among those whose rows they may hold, in the order of their registration.
    func listeners(of collection: String) -> [String] { listeners[collection] ?? [] }
}
