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
