import CNcurses
import Foundation

extension Terminal {
    /// The most descriptors that a screen with a database needs, in this process and in the system's libraries.
    private static let descriptors = 32

    /// Checks that the process may open as many files as a screen and its database need. If descriptors run out,
    /// libdispatch, which both use, ends the program at some later time.
    ///
    /// - Throws: ``TerminalError`` with code `refused`, which says what to do.
    public static func checkDescriptors() throws(TerminalError) {
        var opened: [Int32] = []
        while opened.count < descriptors {
            let descriptor = yap_wake_descriptor()
            guard descriptor >= 0 else { break }
            opened.append(descriptor)
        }
        for descriptor in opened { close(descriptor) }
        guard opened.count == descriptors else {
            throw TerminalError(
                .refused,
                "The system lets this program open only \(opened.count) more files, and it needs \(descriptors). "
                    + "`ulimit -n 1024` allows more, or close other programs.")
        }
    }
}
