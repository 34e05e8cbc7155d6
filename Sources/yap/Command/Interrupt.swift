import CSignals
import Foundation
import Synchronization

/// Makes Ctrl-C end the program with the exit code that shells use for it.
func exitOnInterrupt() { handle([SIGINT]) { _ in _exit(ExitCode.interrupted) } }

/// Thrown by ``checkInterrupt()`` after Ctrl-C, while a file is made of which no part must stay behind.
struct Interrupted: Error {
    /// The exit code that shells use for the signal.
    let exitCode: Int32
}

// Written by a signal handler, which can do no more than that. Atomic: a variable that the program reads when the signal comes would be
// accessed twice at once, for which Swift stops the program.
private let caught = Atomic<Int32>(0)

/// Makes ``checkInterrupt()`` notice Ctrl-C, a request to end and the loss of the terminal, which also end a wait for
/// input.
func noteInterrupt() {
    caught.store(0, ordering: .relaxed)
    handle([SIGINT, SIGTERM, SIGHUP]) { caught.store($0, ordering: .relaxed) }
}

/// The files of temporary folders and then the folders, which are removed whenever a signal ends the program.
@MainActor private var temporary: [String] = []

/// Runs a body with a temporary folder that only this user may read, and removes it.
/// - Parameters:
///   - files: those that will be in it. A signal that ends the program removes them and the folder first.
///   - onScreen: whether signals come as events, and end no program.
@MainActor func withTemporaryFolder<Value>(
    _ name: String, files: (URL) -> [String], onScreen: Bool, _ body: (URL) throws -> Value
) throws -> Value {
    let folder = FileManager.default.temporaryDirectory.appending(path: "\(name)-\(UUID().uuidString)")
    temporary += files(folder) + [folder.path]
    if !onScreen { try removeOnInterrupt() }
    try FileManager.default.createDirectory(
        at: folder, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
    defer { try? FileManager.default.removeItem(at: folder) }
    return try body(folder)
}

/// Makes the signals of ``noteInterrupt()`` end the program at once from now on, after removing these files and all temporary folders.
@MainActor func removeOnInterrupt(_ files: [String] = []) throws {
    let paths = files + temporary
    let names = UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>.allocate(capacity: paths.count + 1)
    for (index, path) in paths.enumerated() { (names + index).initialize(to: strdup(path)) }
    (names + paths.count).initialize(to: nil)
    handle([SIGINT, SIGTERM, SIGHUP], yap_remover_of_files(names))
    // Handles a signal that arrived before.
    try checkInterrupt()
}

/// Undoes ``removeOnInterrupt(_:)``: the files are finished or removed.
func keepOnInterrupt() { noteInterrupt() }

/// Whether a signal of ``noteInterrupt()`` arrived.
var isInterrupted: Bool { caught.load(ordering: .relaxed) != 0 }

func checkInterrupt() throws {
    let signal = caught.load(ordering: .relaxed)
    if signal != 0 { throw Interrupted(exitCode: 128 + signal) }
}

private func handle(_ signals: [Int32], _ handler: @escaping @convention(c) (Int32) -> Void) {
    var action = sigaction()
    action.__sigaction_handler.sa_handler = handler
    for signal in signals {
        var before = sigaction()
        sigaction(signal, nil, &before)
        // An ignored signal stays ignored, as under nohup. Ctrl-C concerns only a program in the foreground.
        let isIgnored = unsafeBitCast(before.__sigaction_handler.sa_handler, to: Int.self) == 1
        if isIgnored, signal != SIGINT { continue }
        sigaction(signal, &action, nil)
    }
}

/// Lets the signals that end a program arrive. A parent process may have blocked them, as a server does that starts programs from a thread
/// of a pool.
func allowSignals() {
    var signals = sigset_t()
    sigemptyset(&signals)
    for signal in [SIGINT, SIGTERM, SIGHUP] { sigaddset(&signals, signal) }
    pthread_sigmask(SIG_UNBLOCK, &signals, nil)
}
