import CPostgreSQL
import Foundation

extension ServerAddress {
    /// Begins to connect by these keywords of libpq, without waiting for an answer; nil if there is no memory.
    static func connect(_ settings: [String: String]) -> OpaquePointer? {
        withTexts(Array(settings.keys)) { names in
            withTexts(settings.map(\.value)) { PQconnectStartParams(names, $0, 0) }
        }
    }
}

/// Calls the body with an array of C strings that ends with null.
private func withTexts<Value>(_ texts: [String], _ body: (UnsafePointer<UnsafePointer<CChar>?>) -> Value) -> Value {
    let copies = texts.map { strdup($0) }
    defer { for copy in copies { free(copy) } }
    return (copies.map { $0.map { UnsafePointer($0) } } + [nil]).withUnsafeBufferPointer { body($0.baseAddress!) }
}
