import Foundation

// For the signal handler, which can do no more than write it. Both are set once, before the handler is installed.
nonisolated(unsafe) private var message: UnsafeMutablePointer<CChar>?
nonisolated(unsafe) private var length = 0

/// Makes the program end with a sentence where another program cuts a file that is mapped into memory, as SQLite does with the index of
/// a log: every access beyond the new end is then SIGBUS.
///
/// A screen restores the terminal before this handler gets the signal.
func explainCutFiles() {
    let text =
        "yap: Another program has cut a file that is in use: the index of a database's log (-shm), or the file itself. What was "
        + "committed is in the file and its log; `yap check` says whether it is whole. Start again.\n"
    message = strdup(text)
    length = text.utf8.count
    var action = sigaction()
    action.sa_flags = SA_SIGINFO
    action.__sigaction_handler.sa_sigaction = { number, information, _ in
        // Beyond the end of what is mapped. Anything else is a fault of ours, and ends as one.
        if information?.pointee.si_code == BUS_ADRERR {
            _ = write(STDERR_FILENO, message, length)
            _exit(ExitCode.failed)
        }
        signal(number, SIG_DFL)
        raise(number)
    }
    sigaction(SIGBUS, &action, nil)
}

/// A constant of <signal.h> that Swift's Glibc module omits.
private let BUS_ADRERR: Int32 = 2
