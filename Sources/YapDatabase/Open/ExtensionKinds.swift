import FileEngine

extension [any ExtensionKind] {
    /// The kinds of extensions: the one place that names them all.
    static var kinds: [any ExtensionKind] {
        [
            ViewKind(), IndexKind(kind: .secondaryIndex), IndexKind(kind: .fts), IndexKind(kind: .rTreeIndex),
            RelationshipKind(), CloudCoreKind(), DerivedRowsKind(),
            KindWithoutTables(classNames: [
                "YapDatabaseHooks", "YapDatabaseActionManager", "YapDatabaseCrossProcessNotification",
            ]),
        ]
    }
}
