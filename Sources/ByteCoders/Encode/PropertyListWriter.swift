import ByteFormats
import Foundation

/// Writes a binary property list. `PropertyListTable` describes the format.
///
/// Scalars go into the buffer as they come. A container is known only after its children: its references wait on a stack and
/// then in a list. At the end the scalars come first, then the containers with references as wide as the number of objects
/// asks for, then the table of offsets. Equal short texts, small integers and booleans are one object.
final class PropertyListWriter: ValueWriter {
    private struct Container {
        let object: Int
        /// In `closed`.
        let firstReference: Int
        let entries: Int
        let isDictionary: Bool
    }

    private struct Lists {
        /// Where each object begins: in the buffer for scalars, later in the result for containers.
        var offsets: [Int] = []
        var open: [Int32] = []
        var closed: [Int32] = []
        var containers: [Container] = []
        var texts = TextTable()
        var small = SmallNumbers()
    }

    private let lists = UnsafeMutablePointer<Lists>.allocate(capacity: 1)
    private let result = UnsafeMutablePointer<ByteBuffer>.allocate(capacity: 1)

    override init() {
        lists.initialize(to: Lists())
        result.initialize(to: ByteBuffer(capacity: 1_024))
    }

    deinit {
        result.pointee.free()
        result.deallocate()
        lists.deinitialize(count: 1)
        lists.deallocate()
    }

    override var capacity: Int { super.capacity + 2 * result.pointee.capacity }

    override func reset() {
        super.reset()
        out.pointee.append("bplist00")
        lists.pointee.offsets.removeAll(keepingCapacity: true)
        lists.pointee.open.removeAll(keepingCapacity: true)
        lists.pointee.closed.removeAll(keepingCapacity: true)
        lists.pointee.containers.removeAll(keepingCapacity: true)
        lists.pointee.texts.removeAll()
        lists.pointee.small.removeAll()
    }

    // MARK: Containers

    override func begin(_ kind: Kind, _ frame: UnsafeMutablePointer<Frame>) {
        frame.pointee.mark = lists.pointee.open.count
    }

    override func end(_ frame: UnsafeMutablePointer<Frame>) {
        let first = lists.pointee.closed.count
        let count = frame.pointee.count
        let start = frame.pointee.mark
        let isDictionary = frame.pointee.kind == .object
        // A key without its value can only come of a value that is exotic.
        guard lists.pointee.open.count - start == (isDictionary ? 2 * count : count) else { return markExotic() }
        if isDictionary {
            for entry in 0..<count { lists.pointee.closed.append(lists.pointee.open[start + 2 * entry]) }
            for entry in 0..<count { lists.pointee.closed.append(lists.pointee.open[start + 2 * entry + 1]) }
        } else {
            lists.pointee.closed.append(contentsOf: lists.pointee.open[start...])
        }
        lists.pointee.open.removeLast(lists.pointee.open.count - start)
        lists.pointee.containers.append(
            Container(
                object: lists.pointee.offsets.count, firstReference: first, entries: count, isDictionary: isDictionary))
        refer(add(0))
    }

    override func key(_ bytes: UnsafeRawBufferPointer, _ hash: UInt64, _ frame: UnsafeMutablePointer<Frame>) {
        refer(text(bytes, hash))
    }

    /// Adds an object that begins at an offset.
    @inline(__always) private func add(_ offset: Int) -> Int32 {
        lists.pointee.offsets.append(offset)
        return Int32(truncatingIfNeeded: lists.pointee.offsets.count - 1)
    }

    @inline(__always) private func refer(_ object: Int32) { lists.pointee.open.append(object) }

    @inline(__always) private func addHere() -> Int32 { add(out.pointee.count) }

    // MARK: Scalars

    /// Foundation's property lists have no null; this text stands for it.
    override func null() { string("$null") }

    override func bool(_ value: Bool) {
        let number = value ? 257 : 256
        if let object = lists.pointee.small.object(of: number) { return refer(object) }
        let object = addHere()
        out.pointee.append(value ? 9 : 8)
        lists.pointee.small.insert(object, of: number)
        refer(object)
    }

    /// Negative integers take eight bytes, others the fewest that hold them.
    override func integer(_ value: Int64) {
        let isSmall = (0..<256).contains(value)
        if isSmall, let object = lists.pointee.small.object(of: Int(value)) { return refer(object) }
        let object = addHere()
        out.pointee.appendPropertyListInteger(value)
        if isSmall { lists.pointee.small.insert(object, of: Int(value)) }
        refer(object)
    }

    override func unsigned(_ value: UInt64) {
        if let value = Int64(exactly: value) { return integer(value) }
        refer(addHere())
        out.pointee.append(0x14)
        out.pointee.appendBigEndian(0, width: 8)
        out.pointee.appendBigEndian(value, width: 8)
    }

    override func double(_ value: Double) {
        refer(addHere())
        out.pointee.appendPropertyListReal(value)
    }

    override func float(_ value: Float) {
        refer(addHere())
        out.pointee.append(0x22)
        out.pointee.appendBigEndian(UInt64(value.bitPattern), width: 4)
    }

    override func date(_ value: Date) {
        refer(addHere())
        out.pointee.appendPropertyListDate(value.timeIntervalSinceReferenceDate)
    }

    override func data(_ value: Data) {
        refer(addHere())
        out.pointee.appendPropertyListData(value)
    }

    override func string(_ value: String) {
        var value = value
        value.withUTF8 { text in
            let bytes = UnsafeRawBufferPointer(text)
            refer(self.text(bytes, bytes.quickHash))
        }
    }

    private func text(_ bytes: UnsafeRawBufferPointer, _ makeHash: @autoclosure () -> UInt64) -> Int32 {
        guard bytes.count <= TextTable.longest else { return newText(bytes) }
        let hash = makeHash()
        let place = lists.pointee.texts.place(of: bytes, hash, in: out.pointee.bytes)
        if let object = lists.pointee.texts.object(at: place) { return object }
        let start = out.pointee.count
        let object = newText(bytes)
        // Only the bytes of ASCII texts can be compared where they stand.
        if out.pointee.bytes[start] >> 4 == 5 {
            lists.pointee.texts.insert(object, hash, out.pointee.count - bytes.count, bytes.count, at: place)
        }
        return object
    }

    private func newText(_ bytes: UnsafeRawBufferPointer) -> Int32 {
        let object = addHere()
        out.pointee.appendPropertyListText(bytes)
        return object
    }

    // MARK: The whole list

    /// The bytes of the list; nil if its root is not a container, which Foundation refuses.
    func finish() -> Data? {
        guard lists.pointee.open.count == 1, let root = lists.pointee.open.first,
            lists.pointee.containers.last?.object == Int(root)
        else { return nil }
        let count = lists.pointee.offsets.count
        let referenceWidth = ByteBuffer.width(count)
        result.pointee.removeAll()
        result.pointee.append(out.pointee.bytes)
        for container in lists.pointee.containers {
            lists.pointee.offsets[container.object] = result.pointee.count
            result.pointee.appendPropertyListHeader(container.isDictionary ? 0xd0 : 0xa0, container.entries)
            let references = container.isDictionary ? 2 * container.entries : container.entries
            for place in container.firstReference..<container.firstReference + references {
                result.pointee.appendBigEndian(UInt64(lists.pointee.closed[place]), width: referenceWidth)
            }
        }
        result.pointee.appendPropertyListEnd(lists.pointee.offsets, root: Int(root), referenceWidth: referenceWidth)
        return Data(result.pointee.bytes)
    }
}
