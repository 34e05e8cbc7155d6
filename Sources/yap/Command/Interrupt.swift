import Foundation

/// Has Ctrl-C end the program with the exit code that shells give it.
func exitOnInterrupt() { handle([SIGINT]) { _ in _exit(ExitCode.interrupted) } }

/// What Ctrl-C is while something is made of which nothing is to be left: an error, thrown by ``checkInterrupt()``.
struct Interrupted: Error {
    /// As a shell tells the signal.
    let exitCode: Int32
}

// Written by a signal handler, which can do no more than that.
nonisolated(unsafe) private var caught: sig_atomic_t = 0

/// Has Ctrl-C, a request to end and the loss of the terminal be noticed by ``checkInterrupt()``, and end a wait for input.
func noteInterrupt() {
    caught = 0
    handle([SIGINT, SIGTERM, SIGHUP]) { caught = $0 }
}

// Names for the signal handler, which can do no more than to remove them: the list ends with nil.
nonisolated(unsafe) private var unfinished: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?

/// Has the signals of ``noteInterrupt()`` end the program at once from now on, whatever it does, after removing these files.
func removeOnInterrupt(_ paths: [String]) throws {
    let names = UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>.allocate(capacity: paths.count + 1)
    for (index, path) in paths.enumerated() { (names + index).initialize(to: strdup(path)) }
    (names + paths.count).initialize(to: nil)
    unfinished = names
    handle([SIGINT, SIGTERM, SIGHUP]) { signal in
        var next = unfinished
        while let name = next?.pointee {
            unlink(name)
            next = next.map { $0 + 1 }
        }
        _exit(128 + signal)
    }
    // One that came before.
    try checkInterrupt()
}

/// Takes ``removeOnInterrupt(_:)`` back: the files are finished, or gone.
func keepOnInterrupt() { noteInterrupt() }

/// Whether a signal of ``noteInterrupt()`` came.
var isInterrupted: Bool { caught != 0 }

func checkInterrupt() throws {
    if caught != 0 { throw Interrupted(exitCode: 128 + caught) }
}

private func handle(_ signals: [Int32], _ handler: @escaping @convention(c) (Int32) -> Void) {
    var action = sigaction()
    action.__sigaction_handler.sa_handler = handler
    var handled = sigset_t()
    sigemptyset(&handled)
    for signal in signals {
        var before = sigaction()
        sigaction(signal, nil, &before)
        // As nohup has it: what is to outlive its terminal does. Ctrl-C is for whoever sits in front.
        let isIgnored = unsafeBitCast(before.__sigaction_handler.sa_handler, to: Int.self) == 1
        if isIgnored, signal != SIGINT { continue }
        sigaction(signal, &action, nil)
        sigaddset(&handled, signal)
    }
    // Whoever started the program may have had it blocked.
    pthread_sigmask(SIG_UNBLOCK, &handled, nil)
}
