import Synchronization

/// Tells a thread or task of a test that it is to end.
final class Flag: Sendable {
    let value = Atomic(false)
}
