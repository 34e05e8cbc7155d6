import Foundation

@testable import ObjectDecoding

/// Returns the JSON form of the decoded bytes.
func json(_ bytes: some Sequence<UInt8>, _ formats: ObjectFormat..., options: DecodingOptions = .init()) -> String {
    ObjectDecoder(formats: formats, options: options).decode(Array(bytes)).json
}

func json(_ text: String, _ formats: ObjectFormat..., options: DecodingOptions = .init()) -> String {
    ObjectDecoder(formats: formats, options: options).decode(Array(text.utf8)).json
}

/// An archive as Foundation writes it.
func archive(_ value: Any) throws -> Data {
    try NSKeyedArchiver.archivedData(withRootObject: value, requiringSecureCoding: false)
}

func propertyList(_ value: Any, _ format: PropertyListSerialization.PropertyListFormat = .binary) throws -> Data {
    try PropertyListSerialization.data(fromPropertyList: value, format: format, options: 0)
}
