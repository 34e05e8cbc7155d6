/// What became of a row's bytes.
package struct DecodedObject: Hashable, Sendable {
    package let value: DecodedValue
    /// The formats, from the outermost: `[.gzip, .json]` for compressed JSON.
    package let formats: [ObjectFormat]
    /// How many bytes there were.
    package let size: Int
    /// What is wrong, in words: why the bytes could not be decoded, or what is damaged in a value that could.
    package let error: String?

    package init(value: DecodedValue, formats: [ObjectFormat], size: Int, error: String? = nil) {
        self.value = value
        self.formats = formats
        self.size = size
        self.error = error
    }
}

extension DecodedObject {
    init(_ value: DecodedValue, _ format: ObjectFormat, _ bytes: UnsafeRawBufferPointer, damage: String? = nil) {
        self.init(value: value, formats: [format], size: bytes.count, error: damage)
    }

    /// The same, with the failure of a format that the bytes were probably meant to have.
    func with(_ failure: DecodingError?) -> DecodedObject {
        DecodedObject(value: value, formats: formats, size: size, error: failure?.sentence ?? error)
    }
}
