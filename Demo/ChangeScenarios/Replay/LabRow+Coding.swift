import Foundation
import YapDatabase

/// Rows are stored as JSON, so that the file is readable with any tool.
extension YapDatabase {
    func registerLabRows() {
        registerDefaultSerializer { _, _, value in
            guard let value = value as? any ScenarioValue else { throw NotOfTheLab() }
            return Data(value.json.bytes)
        }
        registerDefaultDeserializer { _, _, bytes in
            switch try JSONReader.read(Array(bytes)) {
            case .string(let metadata): metadata
            case let object: try LabRow(json: object)
            }
        }
    }
}

private struct NotOfTheLab: Error, CustomStringConvertible {
    let description = "The lab stores rows and texts only."
}
