import Synchronization

/// An object that is made when it is first needed. Each thread that needs it first may make one, and one of them is kept for all.
///
/// No `AtomicLazyReference`: the functions of that are not compiled for the type of the object, and look up types at run time in each visit, 650
/// instructions for what are 20.
struct LazyReference<Instance: AnyObject & Sendable>: ~Copyable, Sendable {
    /// The address of a retained object; 0 until there is one.
    private let address = Atomic<UInt>(0)

    init() {}

    deinit { Self.reference(address.load(ordering: .acquiring))?.release() }

    /// Nil if none was made yet.
    @inline(__always) func load() -> Instance? {
        Self.reference(address.load(ordering: .acquiring)).map(Self.object)
    }

    /// Keeps an object unless another thread has kept one meanwhile.
    /// - Returns: the object that is kept.
    func storeIfNil(_ made: Instance) -> Instance {
        let mine = Unmanaged<AnyObject>.passRetained(made)
        let (isFirst, kept) = address.compareExchange(
            expected: 0, desired: UInt(bitPattern: mine.toOpaque()), ordering: .acquiringAndReleasing)
        guard !isFirst, let kept = Self.reference(kept) else { return made }
        mine.release()
        return Self.object(kept)
    }

    // References are not of the generic type, which would be looked up.

    @inline(__always) private static func reference(_ address: UInt) -> Unmanaged<AnyObject>? {
        UnsafeRawPointer(bitPattern: address).map { Unmanaged.fromOpaque($0) }
    }

    @inline(__always) private static func object(_ reference: Unmanaged<AnyObject>) -> Instance {
        unsafeDowncast(reference.takeUnretainedValue(), to: Instance.self)
    }
}
