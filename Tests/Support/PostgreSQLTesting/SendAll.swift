import Glibc

/// Writes all bytes to a socket.
/// - Returns: false if the other side is gone.
public func sendAll(_ bytes: [UInt8], to socket: Int32) -> Bool {
    var done = 0
    while done < bytes.count {
        let count = bytes.withUnsafeBytes {
            send(socket, $0.baseAddress! + done, bytes.count - done, Int32(MSG_NOSIGNAL))
        }
        guard count > 0 else { return false }
        done += count
    }
    return true
}
