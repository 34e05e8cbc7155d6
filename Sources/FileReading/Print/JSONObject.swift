import ByteFormats
import ObjectDecoding

/// Builds a JSON object member by member.
package struct JSONObject {
    private var bytes: [UInt8] = [UInt8(ascii: "{")]

    package init() {}

    /// Adds a member; the closure appends its value as JSON.
    package mutating func add(_ name: String, _ value: (inout [UInt8]) -> Void) {
        if bytes.count > 1 { bytes.append(UInt8(ascii: ",")) }
        bytes.appendJSON(name)
        bytes.append(UInt8(ascii: ":"))
        value(&bytes)
    }

    package mutating func add(_ name: String, _ text: String) { add(name) { $0.appendJSON(text) } }
    package mutating func add(_ name: String, _ number: Int) { add(name) { $0 += Array(String(number).utf8) } }
    package mutating func add(_ name: String, _ isTrue: Bool) {
        add(name) { $0 += Array(isTrue ? "true".utf8 : "false".utf8) }
    }

    /// Adds a member unless the text is nil.
    package mutating func add(_ name: String, _ text: String?) { if let text { add(name, text) } }

    /// Adds a name or key, and its bytes if they are not valid UTF-8.
    package mutating func add(_ name: String, _ text: StoredText) {
        add(name, text.text)
        if text.isBlob || Array(text.text.utf8) != text.bytes { add(name + "Hex", Hex.text(text.bytes)) }
    }

    package mutating func add(_ name: String, _ texts: [String]) {
        add(name) { bytes in
            bytes.append(UInt8(ascii: "["))
            for (index, text) in texts.enumerated() {
                if index > 0 { bytes.append(UInt8(ascii: ",")) }
                bytes.appendJSON(text)
            }
            bytes.append(UInt8(ascii: "]"))
        }
    }

    package mutating func add<Item>(_ name: String, _ items: [Item], _ fill: (Item, inout JSONObject) -> Void) {
        add(name) { bytes in
            bytes.append(UInt8(ascii: "["))
            for (index, item) in items.enumerated() {
                if index > 0 { bytes.append(UInt8(ascii: ",")) }
                var object = JSONObject()
                fill(item, &object)
                bytes += object.closed()
            }
            bytes.append(UInt8(ascii: "]"))
        }
    }

    /// Returns the object so far, without its closing brace, to append members to.
    consuming func open() -> [UInt8] { bytes }

    /// Returns the whole object in one line.
    package consuming func closed() -> [UInt8] {
        bytes.append(UInt8(ascii: "}"))
        return bytes
    }
}
