import Foundation

/// Returns an error's message for a person: of the system's libraries only the words, and no types, domains and codes.
/// - Parameter namesFile: whether the file that it concerns, which the system's own words do not name, is before them.
package func sentence(ofSystem error: any Error, namesFile: Bool = true) -> String {
    let system = error as NSError
    guard [NSCocoaErrorDomain, NSPOSIXErrorDomain].contains(system.domain) else { return "\(error)" }
    let path = system.userInfo[NSFilePathErrorKey] as? String ?? (system.userInfo[NSURLErrorKey] as? URL)?.path
    let cause = system.userInfo[NSUnderlyingErrorKey] as? any Error
    let words =
        cause.map { sentence(ofSystem: $0, namesFile: namesFile && path == nil) }
        ?? (system.domain == NSPOSIXErrorDomain
            ? String(cString: strerror(Int32(clamping: system.code))) : system.localizedDescription)
    return namesFile ? (path.map { "\($0): " } ?? "") + words : words
}
