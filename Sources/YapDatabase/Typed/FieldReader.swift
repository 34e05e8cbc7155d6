/// Reads one field of a value: at its place in memory if it is stored there, which is many times as quick as by its key path.
struct FieldReader<Value, Field>: Sendable {
    private let path: KeyPath<Value, Field> & Sendable
    private let offset: Int?

    init(_ path: KeyPath<Value, Field> & Sendable) {
        self.path = path
        offset = MemoryLayout<Value>.offset(of: path)
    }

    @inline(__always) func callAsFunction(_ value: Value) -> Field {
        guard let offset else { return value[keyPath: path] }
        return withUnsafePointer(to: value) {
            (UnsafeRawPointer($0) + offset).assumingMemoryBound(to: Field.self).pointee
        }
    }
}
