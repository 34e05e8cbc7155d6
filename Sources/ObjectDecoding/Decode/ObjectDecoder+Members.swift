import ByteFormats

/// Reads some members of a stored object, which costs less than half of what decoding all of it does.
extension ObjectDecoder {
    /// Finds the members of these names, if the bytes are an object in JSON.
    /// - Parameter members: gets the text of each member, which ``value(ofMember:)`` decodes, at its name's place; nil where there is none.
    /// - Returns: false for all other bytes, and for those that a limit could cut: only decoding the whole of them says what they are.
    package func find(
        _ names: JSONMemberNames, in bytes: UnsafeRawBufferPointer, _ members: inout [UnsafeRawBufferPointer?]
    ) -> Bool {
        // No other format begins so. A second byte of 0 is UTF-16. A value takes more than a byte.
        guard isAutomatic, bytes.count > 1, bytes[0] == UInt8(ascii: "{"), bytes[1] != 0,
            bytes.count <= options.valueLimit, JSONScanner.memberDepth <= options.depthLimit, bytes.isUTF8
        else { return false }
        return JSONScanner.find(names, in: bytes, &members)
    }

    /// Decodes the text of a member that was found.
    package func value(ofMember text: UnsafeRawBufferPointer) -> DecodedValue {
        (try? JSONDecoding.decode(Array(text), Budget(options, size: text.count)).0) ?? .null
    }
}
