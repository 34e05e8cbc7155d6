import ByteFormats

extension DecodedObject {
    package var json: String {
        var bytes: [UInt8] = []
        appendJSON(to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Appends the JSON form of the value; if a decoded value has a problem, `{"$partial": value, "error": "…"}`.
    package func appendJSON(to bytes: inout [UInt8]) {
        guard let error, !value.saysWhatIsWrong else { return value.appendJSON(to: &bytes) }
        bytes.append(#"{"$partial":"#)
        value.appendJSON(to: &bytes)
        bytes.append(#","error":"#)
        bytes.appendJSON(error)
        bytes.append("}")
    }
}

extension DecodedValue {
    fileprivate var saysWhatIsWrong: Bool { if case .bytes = self { true } else { false } }
}
