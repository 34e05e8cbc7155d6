/// An object of a row with its type, at a place that stays, so that a sort casts it once and copies it never.
private final class TypedObject<Value>: ManagedBuffer<Void, Value> {
    static func make(_ value: consuming Value) -> TypedObject {
        let object = unsafeDowncast(create(minimumCapacity: 1) { _ in }, to: TypedObject.self)
        object.place.initialize(to: value)
        return object
    }

    var place: UnsafeMutablePointer<Value> { withUnsafeMutablePointerToElements { $0 } }

    deinit { place.deinitialize(count: 1) }
}

/// Where the typed object of a row is.
///
/// It is compared by type and read by address, with no mention of the class of the object: in generic code the runtime looks up such a class for each
/// call, which took longer than to compare two rows.
struct TypedPlace {
    private var type: ObjectIdentifier?
    private var address: UnsafeRawPointer?
    private var owner: AnyObject?

    init() {}

    init<Value>(_ value: consuming Value) {
        let object = TypedObject.make(value)
        (type, address, owner) = (ObjectIdentifier(Value.self), UnsafeRawPointer(object.place), object)
    }

    /// Nil if there is none, or one of another type. Lasts as long as the object.
    func pointer<Value>(to type: Value.Type) -> UnsafePointer<Value>? {
        self.type == ObjectIdentifier(type) ? address?.assumingMemoryBound(to: Value.self) : nil
    }
}
