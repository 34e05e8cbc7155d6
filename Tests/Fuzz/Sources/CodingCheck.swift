import ByteCoders
import Foundation

/// Decodes bytes as values of several types. What is read and written again is the same.
enum CodingCheck {
    static func check(_ bytes: UnsafeRawBufferPointer) {
        let data = Data(bytes)
        if let tree = ByteCoding.decodeJSON(Tree.self, from: data) { compare(tree, ByteCoding.json(tree)) }
        if let tree = try? ByteCoding.decodePropertyList(Tree.self, from: data) {
            compare(tree, ByteCoding.propertyList(tree))
        }
        _ = ByteCoding.decodeJSON(Record.self, from: data)
        _ = try? ByteCoding.decodePropertyList(Record.self, from: data)
        _ = ByteCoding.decodeJSON([String: [Double?]].self, from: data)
        _ = try? ByteCoding.decodePropertyList([String: [Double?]].self, from: data)
    }

    private static func compare(_ tree: Tree, _ bytes: Data?) {
        guard let bytes, bytes.count < 4_000 else { return }
        let again =
            bytes.starts(with: Data("bplist".utf8))
            ? try? ByteCoding.decodePropertyList(Tree.self, from: bytes) : ByteCoding.decodeJSON(Tree.self, from: bytes)
        if let again { precondition(again == tree, "\(tree) became \(again).") }
    }
}

/// Any nesting.
private struct Tree: Codable, Equatable {
    var name: String?
    var number: Int?
    var children: [Tree]?
    var named: [String: Tree]?
}

private struct Record: Codable {
    var id: Int8?
    var size: UInt64?
    var share: Float?
    var sum: Decimal?
    var data: Data?
    var date: Date?
    var url: URL?
    var kind: Kind?
    var numbers: [Int: String]?
    enum Kind: Codable { case one, two(Int), three(name: String) }
}
