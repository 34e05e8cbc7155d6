import ByteCoders
import Foundation

extension BinaryPropertyList {
    /// Returns the list's bytes. Equal strings, numbers and references are written once.
    func bytes() -> Data {
        var writer = Writer()
        let root = writer.collect(self)
        return writer.bytes(root: root)
    }
}

private struct Writer {
    /// An object whose references are known while their width is not.
    private enum Object {
        case scalar(BinaryPropertyList)
        case container(type: UInt8, count: Int, references: [Int])
    }

    private var objects: [Object] = []
    private var known: [BinaryPropertyList: Int] = [:]

    mutating func collect(_ value: BinaryPropertyList) -> Int {
        switch value {
        case .array(let items):
            let references = items.map { collect($0) }
            return add(.container(type: 0xa0, count: items.count, references: references))
        case .dictionary(let dictionary):
            let entries = dictionary.sorted { $0.key < $1.key }
            let keys = entries.map { collect(.string($0.key)) }
            let values = entries.map { collect($0.value) }
            return add(.container(type: 0xd0, count: entries.count, references: keys + values))
        default:
            if let index = known[value] { return index }
            let index = add(.scalar(value))
            known[value] = index
            return index
        }
    }

    func bytes(root: Int) -> Data {
        let referenceWidth = ByteBuffer.width(objects.count)
        var buffer = ByteBuffer(capacity: 1_024)
        defer { buffer.free() }
        buffer.append("bplist00")
        var offsets: [Int] = []
        for object in objects {
            offsets.append(buffer.count)
            switch object {
            case .scalar(let scalar): Self.append(scalar, to: &buffer)
            case .container(let type, let count, let references):
                buffer.appendPropertyListHeader(type, count)
                references.withUnsafeBufferPointer { buffer.appendBigEndian($0, width: referenceWidth) }
            }
        }
        offsets.withUnsafeBufferPointer {
            buffer.appendPropertyListEnd($0, root: root, referenceWidth: referenceWidth)
        }
        return Data(buffer.bytes)
    }

    private mutating func add(_ object: Object) -> Int {
        objects.append(object)
        return objects.count - 1
    }

    private static func append(_ value: BinaryPropertyList, to buffer: inout ByteBuffer) {
        switch value {
        case .bool(let bool): buffer.append(bool ? 9 : 8)
        case .integer(let integer): buffer.appendPropertyListInteger(integer)
        case .real(let real): buffer.appendPropertyListReal(real)
        case .date(let date): buffer.appendPropertyListDate(date)
        case .data(let data): buffer.appendPropertyListData(data)
        case .string(var string): string.withUTF8 { buffer.appendPropertyListText(UnsafeRawBufferPointer($0)) }
        case .uid(let uid):
            let width = ByteBuffer.width(uid)
            buffer.append(0x80 | UInt8(width - 1))
            buffer.appendBigEndian(UInt64(uid), width: width)
        case .array, .dictionary: fatalError("A container is not a scalar.")
        }
    }
}
