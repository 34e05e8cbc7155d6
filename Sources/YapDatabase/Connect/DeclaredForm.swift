import FileEngine

/// What a declaration makes of an extension. Two that are equal may be registered one after the other, by two screens that each register what
/// they show: the second one changes nothing.
struct DeclaredForm: Hashable {
    /// The type of the declaration, which has those of its values.
    let type: ObjectIdentifier
    /// The class and the version tag.
    private let entry: RegisteredExtension
    private let isStored: Bool
    private let dependencies: Set<String>
    private let collections: CollectionRule?

    /// - Parameters:
    ///   - type: the type of the declaration.
    ///   - hooks: the extension that it makes.
    init(_ type: Any.Type, _ hooks: any ExtensionHooks) {
        self.type = ObjectIdentifier(type)
        (entry, isStored, dependencies) = (hooks.registered, hooks.isPersistent, hooks.dependencies)
        collections = hooks.collections?.stored(tag: "")
    }
}

extension YapDatabase {
    /// The extensions of a batch that are not registered as they are declared.
    func notDeclared(
        _ batch: [(name: String, extension: YapDatabaseExtension)]
    ) -> [(name: String, extension: YapDatabaseExtension)] {
        let newest = commitLog.latest
        return batch.filter { name, wanted in
            guard let form = wanted.declared, let entry = newest.entry(name) else { return true }
            return entry.extension.declared != form
        }
    }
}
