/// An object or metadata that is read when it is asked for, valid inside the block that receives it.
public final class YapProxyObject {
    private enum Content {
        case loaded(Any?)
        case unread(() throws -> Any?)
    }

    private var content: Content

    /// - Parameter given: nil if the value is not at hand, `.some(nil)` if there is none.
    init(_ given: Any??, orElse read: @escaping () throws -> Any?) {
        if let given { content = .loaded(given) } else { content = .unread(read) }
    }

    /// Whether ``realObject`` is at hand, so that it costs nothing.
    public var isRealObjectLoaded: Bool {
        if case .loaded = content { true } else { false }
    }

    /// The value; nil if there is none. Read and decoded the first time if it is not loaded.
    public var realObject: Any? {
        get throws {
            switch content {
            case .loaded(let value): return value
            case .unread(let read):
                let value = try read()
                content = .loaded(value)
                return value
            }
        }
    }
}
