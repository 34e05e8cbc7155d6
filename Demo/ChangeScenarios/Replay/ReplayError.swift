import Foundation

/// Why scenarios cannot be read or results not be written.
package struct ReplayError: Error, CustomStringConvertible {
    package let code: Int32
    private let what: String

    /// - Parameter what: what went wrong, a sentence without its end; the system's own words follow.
    package init(_ what: String, code: Int32 = errno) {
        self.what = what
        self.code = code
    }

    package var description: String { "\(what): \(String(cString: strerror(code)))." }
}
