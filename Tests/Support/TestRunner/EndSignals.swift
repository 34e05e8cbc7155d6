import Foundation

// Written once, before the handlers are there, for the handlers, which can do no more than write to it.
nonisolated(unsafe) private var pipeEnd: Int32 = -1

/// Calls a closure, on a thread of its own, for each signal that asks the program to end: Ctrl-C does not reach the processes of the
/// tests, because each has a process group of its own.
///
/// A handler and not an ignored or blocked signal, because programs that are started inherit those.
func onEndSignal(_ body: @escaping @Sendable (Int32) -> Void) {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { return }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    let readEnd = ends[0]
    pipeEnd = ends[1]
    for number in [SIGINT, SIGTERM, SIGHUP] {
        signal(number) { number in
            var byte = UInt8(truncatingIfNeeded: number)
            _ = write(pipeEnd, &byte, 1)
        }
    }
    Thread.detachNewThread {
        var byte: UInt8 = 0
        while read(readEnd, &byte, 1) == 1 || errno == EINTR { body(Int32(byte)) }
    }
}

/// Kills all programs that tests of a run have started, also those that have left their parents, as tmux and PostgreSQL do: each has
/// the folder of the run in its environment.
func killPrograms(ofRun folder: URL) {
    let mark = Data("YAP_RUN_FOLDER=\(folder.path)\0".utf8)
    let numbers = (try? FileManager.default.contentsOfDirectory(atPath: "/proc"))?.compactMap { pid_t($0) } ?? []
    for number in numbers where number != getpid() {
        let environment = FileManager.default.contents(atPath: "/proc/\(number)/environ")
        if environment?.firstRange(of: mark) != nil { kill(number, SIGKILL) }
    }
}
