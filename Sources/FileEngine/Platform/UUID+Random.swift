import Foundation
import ListChanges

extension UUID {
    /// A random UUID that is one also where no file descriptor is left: `randomUUIDWords()`.
    package static func random() -> UUID {
        let (high, low) = randomUUIDWords()
        return withUnsafeBytes(of: (high.bigEndian, low.bigEndian)) { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }
    }
}
