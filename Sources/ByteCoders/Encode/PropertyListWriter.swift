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
        /// Where each object begins; of containers known at the end.
        var offsets = Stack<Int>(capacity: 64)
        var open = Stack<Int32>(capacity: 64)
        var closed = Stack<Int32>(capacity: 64)
        var containers = Stack<Container>(capacity: 16)
        var texts = TextTable()
        var small = SmallNumbers()
    }

    private let lists = UnsafeMutablePointer<Lists>.allocate(capacity: 1)

    override init() { lists.initialize(to: Lists()) }

    deinit {
        lists.pointee.offsets.free()
        lists.pointee.open.free()
        lists.pointee.closed.free()
        lists.pointee.containers.free()
        lists.pointee.texts.free()
        lists.deinitialize(count: 1)
        lists.deallocate()
    }

    override var size: Int {
        let lists = lists.pointee
        return super.size + lists.offsets.size + lists.open.size + lists.closed.size + lists.containers.size
    }

    override func reset() {
        super.reset()
        out.pointee.append("bplist00")
        lists.pointee.offsets.cut(at: 0)
        lists.pointee.open.cut(at: 0)
        lists.pointee.closed.cut(at: 0)
        lists.pointee.containers.cut(at: 0)
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
        let references = lists.pointee.open.values + start
        if isDictionary {
            let closed = lists.pointee.closed.append(places: 2 * count)
            for entry in 0..<count {
                closed[entry] = references[2 * entry]
                closed[count + entry] = references[2 * entry + 1]
            }
        } else {
            lists.pointee.closed.append(places: count).update(from: references, count: count)
        }
        lists.pointee.open.cut(at: start)
        lists.pointee.containers.append(
            Container(
                object: lists.pointee.offsets.count, firstReference: first, entries: count, isDictionary: isDictionary))
        refer(add(0))
    }

    override func key(_ text: ScannedText, _ frame: UnsafeMutablePointer<Frame>) {
        refer(text.bytes.count > TextTable.longest ? newText(text.bytes, isASCII: text.isASCII) : self.text(text))
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
            let isLong = bytes.count > TextTable.longest
            refer(isLong ? newText(bytes, isASCII: bytes.isASCII) : self.text(ScannedText(bytes)))
        }
    }

    private func text(_ text: ScannedText) -> Int32 {
        // Only the bytes of ASCII texts can be compared where they stand.
        guard text.isASCII else { return newText(text.bytes, isASCII: false) }
        let place = lists.pointee.texts.place(of: text, in: out.pointee.bytes)
        if let object = lists.pointee.texts.object(at: place) { return object }
        let object = newText(text.bytes, isASCII: true)
        lists.pointee.texts.insert(object, text, at: out.pointee.count - text.bytes.count, place)
        return object
    }

    private func newText(_ bytes: UnsafeRawBufferPointer, isASCII: Bool) -> Int32 {
        let object = addHere()
        out.pointee.appendPropertyListText(bytes, isASCII: isASCII)
        return object
    }

    // MARK: The whole list

    /// The bytes of the list; nil if its root is not a container, which Foundation refuses.
    func finish() -> Data? {
        guard lists.pointee.open.count == 1, let root = lists.pointee.open.all.first,
            lists.pointee.containers.all.last?.object == Int(root)
        else { return nil }
        let count = lists.pointee.offsets.count
        let referenceWidth = ByteBuffer.width(count)
        for container in lists.pointee.containers.all {
            lists.pointee.offsets.values[container.object] = out.pointee.count
            out.pointee.appendPropertyListHeader(container.isDictionary ? 0xd0 : 0xa0, container.entries)
            let references = lists.pointee.closed.values + container.firstReference
            let count = container.isDictionary ? 2 * container.entries : container.entries
            out.pointee.appendBigEndian(
                UnsafeBufferPointer(start: references, count: count), width: referenceWidth)
        }
        out.pointee.appendPropertyListEnd(lists.pointee.offsets.all, root: Int(root), referenceWidth: referenceWidth)
        return Data(out.pointee.bytes)
    }
}
