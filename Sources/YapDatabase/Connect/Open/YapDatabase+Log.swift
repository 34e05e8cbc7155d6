extension YapDatabase {
    /// Has the handler told of what no caller hears: work in the background that failed and will be tried again, and
    /// extensions that a frozen connection cannot see yet, or that another program has taken over. Errors of calls are
    /// thrown, never logged. Called on any thread, and not to call the database. Nil, as at first: nobody is told.
    public static func setLogHandler(_ handler: (@Sendable (YDBLogMessage) -> Void)?) {
        logHandler.withLock { $0 = handler }
    }

    static func log(
        _ flag: YDBLogFlag, _ message: @autoclosure () -> String, file: String = #fileID, function: String = #function,
        line: Int = #line
    ) {
        guard let handler = logHandler.withLock({ $0 }) else { return }
        handler(YDBLogMessage(message: message(), flag: flag, file: file, function: function, line: line))
    }

    /// Says why an extension that is registered is not there in a state of the database.
    func logAbsence(of name: String, in snapshot: Snapshot) {
        if let displaced = snapshot.displaced(name) { return Self.log(.warning, displaced.error.message) }
        let latest = commitLog.latest
        guard latest.number > snapshot.number, latest.entry(name) != nil else { return }
        Self.log(
            .warning,
            "The extension \"\(name)\" is not there in commit \(snapshot.number), which a long-lived read transaction shows: it "
                + "was registered later. Begin the long-lived read transaction again, or first wait with waitForExtension."
        )
    }
}

private let logHandler = Locked<(@Sendable (YDBLogMessage) -> Void)?>(nil)

/// How grave a message is.
public enum YDBLogFlag: Int, Hashable, Sendable {
    case error = 1
    case warning = 2
    case info = 4
    case verbose = 8
    case trace = 16
}

/// Something that the library did by itself and that no call can tell of: see ``YapDatabase/setLogHandler(_:)``.
public struct YDBLogMessage: Sendable {
    /// What happened, in whole sentences.
    public let message: String
    /// How grave it is.
    public let flag: YDBLogFlag
    /// Where in the library it was said: a path, a function and a line.
    public let file: String
    /// The function that said it.
    public let function: String
    /// The line in ``file``.
    public let line: Int

    /// The last part of ``file``.
    public var fileName: String { file.split(separator: "/").last.map(String.init) ?? file }
}
