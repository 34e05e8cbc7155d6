import Foundation

/// Has Ctrl-C end the program with the exit code that shells give it.
func exitOnInterrupt() { handleInterrupt { _ in _exit(ExitCode.interrupted) } }

/// What Ctrl-C is while something is made of which nothing is to be left: an error, thrown by ``checkInterrupt()``.
struct Interrupted: Error {}

// Written by a signal handler, which can do no more than that.
nonisolated(unsafe) private var isInterrupted: sig_atomic_t = 0

/// Has Ctrl-C be noticed by ``checkInterrupt()``, and end a wait for input.
func noteInterrupt() {
    isInterrupted = 0
    handleInterrupt { _ in isInterrupted = 1 }
}

func checkInterrupt() throws {
    if isInterrupted != 0 { throw Interrupted() }
}

private func handleInterrupt(_ handler: @escaping @convention(c) (Int32) -> Void) {
    var action = sigaction()
    action.__sigaction_handler.sa_handler = handler
    sigaction(SIGINT, &action, nil)
    // Whoever started the program may have had it blocked.
    var interrupt = sigset_t()
    sigemptyset(&interrupt)
    sigaddset(&interrupt, SIGINT)
    pthread_sigmask(SIG_UNBLOCK, &interrupt, nil)
}
