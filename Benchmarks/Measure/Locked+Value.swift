import YapDatabase

extension Locked {
    var value: Value { withLock { $0 } }

    func set(_ value: Value) { withLock { $0 = value } }
}
