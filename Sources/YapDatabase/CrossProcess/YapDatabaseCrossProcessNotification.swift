/// Does nothing: every database follows the commits of other processes by itself.
///
/// In the original an app registered it to be told of another process's commits. It exists so that such code compiles and runs;
/// registering it stores nothing, sends nothing and changes nothing. Commits of other processes are in ``YapDatabase/commits``
/// and in notifications like those of this one.
public final class YapDatabaseCrossProcessNotification: YapDatabaseExtension, ExtensionHooks, @unchecked Sendable {
    // @unchecked: as for YapDatabaseExtension.

    /// The name that processes had to share. Unused.
    public let identifier: String

    /// Creates an extension without effect.
    public init(identifier: String) {
        self.identifier = identifier
        super.init(className: "YapDatabaseCrossProcessNotification", classVersion: 1)
    }

    package var isPersistent: Bool { false }
}
