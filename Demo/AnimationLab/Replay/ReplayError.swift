import Foundation

/// Why scenarios cannot be read or results cannot be written.
struct ReplayError: Error, CustomStringConvertible {
    let code: Int32
    private let what: String

    /// - Parameter what: the failure, as a sentence without its end; the system's message follows.
    init(_ what: String, code: Int32 = errno) {
        self.what = what
        self.code = code
    }

    var description: String { "\(what): \(String(cString: strerror(code)))." }
}
