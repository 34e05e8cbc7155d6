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
