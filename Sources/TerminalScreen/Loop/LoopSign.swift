import Foundation

/// Tells another program, a test, what an event loop has read and whether it sleeps: so that it waits for that and not for
/// some seconds. Off unless the environment variable `YAP_LOOP_SIGN` names a file.
///
/// The file has one line of a fixed length: how many bytes of input the loop has read, how many frames it has shown, and
/// what it does:
/// - `handling`: it has read input and handles it
/// - `partial`: a sequence of bytes is not complete yet; an Esc is one until a moment has passed
/// - `waiting`: all input is handled; a frame is due later
/// - `asleep`: nothing but an event wakes it
struct LoopSign {
    enum Activity: String { case handling, partial, waiting, asleep }

    /// Open until the process ends.
    private let descriptor: Int32
    private var bytesRead = 0
    private var frames = 0
    private var written: [UInt8] = []

    init?(environment: [String: String] = ProcessInfo.processInfo.environment) {
        guard let path = environment["YAP_LOOP_SIGN"] else { return nil }
        descriptor = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { return nil }
    }

    mutating func didRead(_ count: Int) {
        bytesRead += count
        show(.handling)
    }

    mutating func didShowFrame() { frames += 1 }

    mutating func show(_ activity: Activity) {
        let text = "\(bytesRead) \(frames) \(activity)"
        let line = Array((text + String(repeating: " ", count: max(0, Self.length - text.utf8.count)) + "\n").utf8)
        guard line != written else { return }
        written = line
        _ = pwrite(descriptor, line, line.count, 0)
    }

    private static let length = 47
}
