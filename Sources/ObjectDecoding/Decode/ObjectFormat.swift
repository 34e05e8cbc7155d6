/// A format that stored bytes may have.
package enum ObjectFormat: String, CaseIterable, Hashable, Sendable {
    case archive, plist, xml, json, timestamp, text, gzip, protobuf, hex
}

extension ObjectFormat {
    /// The format's name for display.
    package var title: String {
        switch self {
        case .archive: "keyed archive"
        case .plist: "property list"
        case .xml: "XML property list"
        case .json: "JSON"
        case .timestamp: "timestamp"
        case .text: "text"
        case .gzip: "compressed"
        case .protobuf: "protobuf"
        case .hex: "bytes"
        }
    }
}
