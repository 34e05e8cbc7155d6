import Foundation

/// A value as the application sees it, and as it is stored.
struct EncodedValue {
    let value: Any
    let bytes: Data
}
