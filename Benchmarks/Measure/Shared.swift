import Foundation

/// A value that threads hand to each other.
final class Shared<Value>: @unchecked Sendable {
    // @unchecked: the value is touched only while the lock is held.

    private let lock = NSLock()
    private var current: Value

    init(_ value: Value) { current = value }

    var value: Value { lock.withLock { current } }

    func set(_ value: Value) { lock.withLock { current = value } }
}
