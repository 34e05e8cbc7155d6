import FileEngine

extension YapDatabase {
    /// Sets the handler of messages that no call can throw. These tell of:
    ///
    /// - background work that failed and will be tried again,
    /// - extensions that a frozen connection cannot see yet, or that another program has registered differently,
    /// - lists that are followed and are not registered,
    /// - rows that cannot be decoded, without ``YapDatabaseOptions/undecodableRowHandler``,
    /// - sorting blocks that contradict themselves,
    /// - calls of `asyncReadWrite` that wait because too many wait before them,
    /// - types that do not keep the promise of ``YapPlainCodable``.
    ///
    /// Errors of calls are thrown, never logged. The handler is called on any thread and must not call the database. With nil, messages are
    /// dropped.
    ///
    /// Until a program calls this, a debug build of the library writes messages to standard error, except while a program draws on that
    /// terminal. A release build drops them.
    ///
    /// ```swift
    /// YapDatabase.setLogHandler { message in print(message.fileName, message.line, message.message) }
    /// ```
    public static func setLogHandler(_ handler: (@Sendable (YDBLogMessage) -> Void)?) {
        logHandler.withLock { $0 = handler }
    }

    package static func log(
        _ flag: YDBLogFlag, _ message: @autoclosure () -> String, file: String = #fileID, function: String = #function,
        line: Int = #line
    ) {
        guard let handler = logHandler.withLock({ $0 }) else { return }
        handler(YDBLogMessage(message: message(), flag: flag, file: file, function: function, line: line))
    }

    /// Logs, once for each name, that a list is followed which is not registered. It may be registered later on purpose.
    func logAwaited(_ name: String) {
        guard awaitedLists.withLock({ $0.insert(ExactString(name)).inserted }) else { return }
        Self.log(
            .warning,
            "The list \"\(name)\" is followed and is not registered, so nothing of it is shown until it is. Call `database.register` "
                + "with it; best before it is followed.")
    }

    /// Logs why a registered extension is missing in a state of the database.
    func logAbsence(of name: String, in snapshot: Snapshot) {
        if let displaced = snapshot.displaced(name) { return Self.log(.warning, displaced.error.message) }
        let latest = commitLog.latest
        guard latest.number > snapshot.number, latest.entry(name) != nil else { return }
        Self.log(
            .warning,
            "The extension \"\(name)\" is missing in commit \(snapshot.number), which a long-lived read transaction reads: it "
                + "was registered later. Begin the long-lived read transaction again, or first wait with waitForExtension."
        )
    }
}

private let logHandler = Locked(handlerOfUnaskedMessages)

/// What takes messages while the program has said nothing: the person who develops it sees them, its users do not.
private var handlerOfUnaskedMessages: (@Sendable (YDBLogMessage) -> Void)? {
    #if DEBUG
    { StandardError.write("YapDatabase \($0.flag): \($0.message)") }
    #else
    nil
    #endif
}

/// The severity of a message.
public enum YDBLogFlag: Int, Hashable, Sendable {
    /// An async call failed whose block is told only that it did.
    case error = 1
    /// Background work failed and will be tried again, or an extension or a pipeline cannot be used as it was asked for.
    case warning = 2
    /// Not used by the library; for handlers that share the severities of the original.
    case info = 4
    /// Not used by the library, as ``info``.
    case verbose = 8
    /// Not used by the library, as ``info``.
    case trace = 16
}

/// A message about background work that no call can report. See ``YapDatabase/setLogHandler(_:)``.
public struct YDBLogMessage: Sendable {
    /// What happened, in whole sentences.
    public let message: String
    /// The severity.
    public let flag: YDBLogFlag
    /// The source file that logged the message.
    public let file: String
    /// The function that logged the message.
    public let function: String
    /// The line in ``file``.
    public let line: Int

    /// The last part of ``file``.
    public var fileName: String { file.split(separator: "/").last.map(String.init) ?? file }
}
