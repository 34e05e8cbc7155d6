@testable import ByteFormats

extension JSON {
    init(text: String) throws { self = try JSONReader.read(Array(text.utf8)) }
}
