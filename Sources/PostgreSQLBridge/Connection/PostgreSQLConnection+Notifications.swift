import CPostgreSQL
import Foundation

extension PostgreSQLConnection {
    /// Waits for notifications of the channels that the connection listens to.
    /// - Returns: their texts; none at the time, or after a nudge.
    package func notifications(until time: ContinuousClock.Instant) throws -> [String] {
        let handle = try open()
        while true {
            let texts = receivedNotifications(handle)
            guard texts.isEmpty, .now < time, !wasNudged else {
                wasNudged = false
                return texts
            }
            var waited = [
                pollfd(fd: PQsocket(handle), events: Int16(POLLIN), revents: 0),
                pollfd(fd: wakeUp.descriptor, events: Int16(POLLIN), revents: 0),
            ]
            _ = poll(&waited, 2, time.milliseconds)
            if wakeUp.isStopped {
                throw PostgreSQLError(.stopped, "The database was closed while it waited for the server.")
            }
            if waited[0].revents != 0, PQconsumeInput(handle) != 1 {
                let error = lost()
                close()
                throw error
            }
            if waited[1].revents != 0 {
                wakeUp.clear()
                return receivedNotifications(handle)
            }
        }
    }

    private func receivedNotifications(_ handle: OpaquePointer) -> [String] {
        var texts: [String] = []
        while let notification = PQnotifies(handle) {
            texts.append(String(cString: notification.pointee.extra))
            PQfreemem(notification)
        }
        return texts
    }
}
