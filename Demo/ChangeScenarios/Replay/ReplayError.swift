import Foundation

/// Why scenarios cannot be read or results cannot be written.
package struct ReplayError: Error, CustomStringConvertible {
    package let code: Int32
    private let what: String

    /// - Parameter what: the failure, as a sentence without its end; the system's message follows.
    package init(_ what: String, code: Int32 = errno) {
        self.what = what
        self.code = code
    }

    package var description: String { "\(what): \(String(cString: strerror(code)))." }
}
