import Foundation

/// Standard output, written in large pieces. Who stops reading, as `head` does, ends the process by SIGPIPE, silently.
final class StandardOutput {
    private var waiting: [UInt8] = []
    private static let piece = 1 << 16

    func write(_ bytes: [UInt8]) throws {
        waiting += bytes
        if waiting.count >= Self.piece { try flush() }
    }

    func flush() throws {
        var rest = waiting[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Foundation.write(STDOUT_FILENO, $0.baseAddress, $0.count) }
            guard count > 0 || errno == EINTR else { throw POSIXError.last }
            rest = rest.dropFirst(max(0, count))
        }
        waiting.removeAll(keepingCapacity: true)
    }
}

/// Has Ctrl-C end the program with the exit code that shells give it.
func exitOnInterrupt() {
    signal(SIGINT) { _ in _exit(ExitCode.interrupted) }
    // Whoever started the program may have had it blocked.
    var interrupt = sigset_t()
    sigemptyset(&interrupt)
    sigaddset(&interrupt, SIGINT)
    pthread_sigmask(SIG_UNBLOCK, &interrupt, nil)
}
