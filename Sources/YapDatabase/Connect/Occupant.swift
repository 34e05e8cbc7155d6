import Foundation
import Synchronization

/// Which thread is inside a serial section, so that a call that would wait for itself fails loudly instead.
struct Occupant: ~Copyable {
    private let thread = Atomic<UInt>(Self.nobody)
    private static let nobody: UInt = 0

    var isCurrentThread: Bool { thread.load(ordering: .relaxed) == Self.currentThread }

    /// Runs the section's body as the current thread.
    func during<Value>(_ body: () throws -> Value) rethrows -> Value {
        thread.store(Self.currentThread, ordering: .relaxed)
        defer { thread.store(Self.nobody, ordering: .relaxed) }
        return try body()
    }

    private static var currentThread: UInt { UInt(pthread_self()) }
}
