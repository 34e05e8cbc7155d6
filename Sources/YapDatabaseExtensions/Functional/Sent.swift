/// A value that its owner has handed over to a transaction on another thread.
struct Sent<Value>: @unchecked Sendable {
    // @unchecked: an item is not changed any more once it is given to an asynchronous write, as no object that is stored is.
    let value: Value

    init(_ value: Value) { self.value = value }
}
