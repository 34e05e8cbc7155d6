import Foundation

package enum InotifyEvents {
    /// Reads all events that wait in a descriptor which does not block.
    /// - Parameter body: gets each event, and the name of the file in a watched folder, as bytes.
    package static func read(_ descriptor: Int32, _ body: (inotify_event, Slice<UnsafeRawBufferPointer>) -> Void) {
        withUnsafeTemporaryAllocation(byteCount: 16_384, alignment: 8) { buffer in
            while case let count = Foundation.read(descriptor, buffer.baseAddress, buffer.count), count > 0 {
                var offset = 0
                while offset < count {
                    let event = buffer.loadUnaligned(fromByteOffset: offset, as: inotify_event.self)
                    let start = offset + MemoryLayout<inotify_event>.size
                    offset = start + Int(event.len)
                    // The name is padded with zeros.
                    let name = UnsafeRawBufferPointer(buffer)[start..<offset]
                    body(event, name[..<(name.firstIndex(of: 0) ?? offset)])
                }
            }
        }
    }
}
