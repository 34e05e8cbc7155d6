import Foundation

/// Decodes stored bytes by the first format of a list that fits.
///
/// Any bytes give a value, in linear time and within the limits of the options.
///
/// ```swift
/// let object = ObjectDecoder().decode(Data(#"{"name": "Bob"}"#.utf8))
/// object.formats  // [.json]
/// object.value    // .dictionary([DecodedField("name", .string("Bob"))])
/// ```
package struct ObjectDecoder: Hashable, Sendable {
    package var options: DecodingOptions
    /// The formats to try, in this order. Empty: all formats, the most certain to recognize first.
    package var formats: [ObjectFormat]

    package init(formats: [ObjectFormat] = [], options: DecodingOptions = DecodingOptions()) {
        self.formats = formats
        self.options = options
    }

    package func decode(_ bytes: UnsafeRawBufferPointer) -> DecodedObject { decode(bytes, layer: 0) }
    package func decode(_ bytes: [UInt8]) -> DecodedObject { bytes.withUnsafeBytes { decode($0) } }
    package func decode(_ data: Data) -> DecodedObject { data.withUnsafeBytes { decode($0) } }

    /// Decodes data that is part of a value; returns nil if it has no known format.
    package func decode(content data: [UInt8]) -> DecodedObject? {
        let sure = ObjectDecoder(formats: [.archive, .plist, .xml, .gzip, .json], options: options)
        let object = sure.decode(data)
        return if case .bytes = object.value { nil } else { object }
    }
}

extension ObjectDecoder {
    /// A timestamp is tried only if the eight bytes are not text; protobuf, a guess, comes last.
    private static let automatic: [ObjectFormat] = [.archive, .plist, .xml, .gzip, .json, .text, .timestamp, .protobuf]

    var isAutomatic: Bool { formats.isEmpty }

    func decode(_ bytes: UnsafeRawBufferPointer, layer: Int) -> DecodedObject {
        var failures: [DecodingError] = []
        for format in isAutomatic ? Self.automatic : formats {
            do throws(DecodingError) {
                let object = try decode(bytes, as: format, layer: layer)
                return isAutomatic && format == .text ? object.with(failures.first(where: \.isLikely)) : object
            } catch {
                failures.append(error)
                if isAutomatic, error.isSure { break }
            }
        }
        return undecodable(bytes, failures)
    }

    private func undecodable(_ bytes: UnsafeRawBufferPointer, _ failures: [DecodingError]) -> DecodedObject {
        let unknown = DecodingError("The format of the bytes is unknown.")
        let meant = failures.last(where: \.isSure) ?? failures.first(where: \.isLikely)
        // An image is not decoded, and is what it is.
        if isAutomatic, meant == nil, ImageHeader(Array(bytes)) != nil {
            return DecodedObject(.bytes(Array(bytes), error: nil), .hex, bytes)
        }
        let failure = meant ?? (isAutomatic ? unknown : failures.first ?? unknown)
        return DecodedObject(
            value: .bytes(Array(bytes), error: failure.sentence), formats: [.hex], size: bytes.count,
            error: failure.sentence)
    }
}
