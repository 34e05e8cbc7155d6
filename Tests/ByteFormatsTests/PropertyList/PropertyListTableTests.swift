import Foundation
import Testing

@testable import ByteFormats

@Suite struct PropertyListTableTests {
    @Test func everyObjectIsFoundWhereItStands() throws {
        try withTable(["text", 7, 2.5, Data([1, 2]), true, "é", [1]] as [Any]) { table throws in
            guard case .array(let children) = try table.object(table.root) else {
                Issue.record("The root is no array.")
                return
            }
            #expect(children.count == 7)
            let objects = try (0..<7).map { try table.object(table.reference(children, $0)) }
            guard case .string(let text) = objects[0], case .integer(7) = objects[1], case .real(2.5) = objects[2],
                case .data(let data) = objects[3], case .bool(true) = objects[4], case .string(let wide) = objects[5],
                case .array(let inner) = objects[6]
            else {
                Issue.record("The objects are \(objects).")
                return
            }
            #expect(table.string(text) == "text" && table.string(text, is: "text") && !table.string(text, is: "test"))
            #expect(table.string(wide) == "é" && wide.isUTF16 && !table.string(wide, is: "e"))
            #expect(table.data(data) == [1, 2] && inner.count == 1)
        }
    }

    @Test func anIndexThatIsNoneIsAnError() throws {
        try withTable(["text"]) { table throws in
            for index in [-1, table.count, .max] {
                #expect(throws: MalformedPropertyList.self) { try table.object(index) }
            }
        }
    }

    @Test(arguments: [0, 8, 39, 40]) func aTrailerThatIsCutIsAnError(count: Int) throws {
        let bytes = Array("bplist00".utf8) + [UInt8](repeating: 0, count: 40)
        bytes.prefix(count).withUnsafeBytes { bytes in
            _ = #expect(throws: MalformedPropertyList.self) { try PropertyListTable(bytes) }
        }
    }

    private func withTable(_ list: Any, _ body: (PropertyListTable) throws -> Void) throws {
        let data = try PropertyListSerialization.data(fromPropertyList: list, format: .binary, options: 0)
        try data.withUnsafeBytes { try body(PropertyListTable($0)) }
    }
}
