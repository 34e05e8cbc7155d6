import FileEngine

/// The tables of derived rows. Where a process has not registered them, they stay as they are and are marked as stale: entries of removed rows tell
/// later which derived rows these leave.
struct DerivedRowsKind: ExtensionKind {
    var classNames: Set<String> { TableOwner.Kind.derived.classes }
}
