/// A violated guarantee.
public struct Broken: Error, CustomStringConvertible {
    public let description: String

    public init(_ description: String) { self.description = description }
}

public func require(_ condition: Bool, _ message: @autoclosure () -> String) throws {
    if !condition { throw Broken(message()) }
}
