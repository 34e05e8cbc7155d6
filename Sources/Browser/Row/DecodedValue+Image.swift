import FileReading
import ObjectDecoding

extension DecodedValue {
    /// The kind, the pixels and the size of an image; nil for any other value.
    var imageWords: String? {
        switch self {
        case .data(let bytes), .bytes(let bytes, _):
            ImageHeader(bytes).map { "\($0.words), \(FileFacts.bytes(bytes.count))" }
        default: nil
        }
    }
}
