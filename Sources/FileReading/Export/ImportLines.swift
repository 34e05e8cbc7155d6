import FileEngine

/// Reads the lines of an export on several threads, and passes them on in their order.
package final class ImportLines {
    /// A block with more bytes has a large line.
    private static let largeSize = 1 << 20

    private let work: OrderedWork<[ImportLine?]>
    private let deliver: ([ImportLine?]) throws -> Void

    /// - Parameter deliver: gets the lines of each block, nil for an empty one, on the thread that adds blocks.
    package init(deliver: @escaping ([ImportLine?]) throws -> Void) {
        self.deliver = deliver
        work = OrderedWork(deliver: deliver)
    }

    /// Adds a block of whole lines and their line breaks. At most one large line is in memory, and not together with its values.
    package func add(_ block: consuming [UInt8]) throws {
        guard block.count > Self.largeSize else {
            let block = consume block
            return try work.add { ImportLine.lines(of: block) }
        }
        try work.finish()
        let lines = ImportLine.lines(of: block)
        _ = consume block
        try deliver(lines)
    }

    /// Waits for all lines and passes them on.
    package func finish() throws { try work.finish() }
}
