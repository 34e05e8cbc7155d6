import Dispatch
import Glibc
import Synchronization

/// The file descriptors of libdispatch. It makes them when it needs them first, for a timer, a watched file or the main queue, and stops the process
/// by an illegal instruction if none is left then: perhaps between a commit and the return to the program. So they are made before the first
/// file is opened, while an error can still be thrown.
enum DispatchDescriptors {
    private static let areMade = Mutex(false)
    /// How many there are: one for the events that libdispatch waits for, one to wake it, one for the main queue, and one for each of three clocks.
    private static let count = 6

    /// Makes them, once in a process.
    /// - Parameter subject: what is to be opened, for the message.
    /// - Throws: ``YapDatabaseError`` with `cannotOpen` if there is no room for them.
    static func make(for subject: String) throws {
        try areMade.withLock { areMade in
            if areMade { return }
            try checkRoom(for: subject)
            let timer = DispatchSource.makeTimerSource(queue: DispatchQueue(label: "YapDatabase descriptors"))
            // In this order: only a timer that is active tells the thread of the events, which is made then, when it goes off.
            timer.activate()
            timer.schedule(deadline: .distantFuture)
            timer.cancel()
            DispatchQueue.main.async {}
            areMade = true
        }
    }

    private static func checkRoom(for subject: String) throws {
        var opened: [Int32] = []
        defer { for descriptor in opened { close(descriptor) } }
        while opened.count < count {
            let descriptor = open("/dev/null", O_RDONLY | O_CLOEXEC)
            guard descriptor >= 0 else {
                // Where the file is missing, it is no limit that was met.
                guard let error = SystemLimit.error(opening: subject, errno) else { return }
                throw error
            }
            opened.append(descriptor)
        }
    }
}
