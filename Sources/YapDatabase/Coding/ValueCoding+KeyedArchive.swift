import Foundation

extension ValueCoding {
    /// The default: property-list values and classes with NSCoding, as a keyed archive, as the original stores them.
    static let keyedArchive = ValueCoding(
        encode: { _, value in try NSKeyedArchiver.archivedData(withRootObject: value, requiringSecureCoding: false) },
        decode: { _, data in
            let unarchiver = try NSKeyedUnarchiver(forReadingFrom: data)
            unarchiver.requiresSecureCoding = false
            unarchiver.decodingFailurePolicy = .setErrorAndReturn
            defer { unarchiver.finishDecoding() }
            guard let value = unarchiver.decodeObject(forKey: NSKeyedArchiveRootObjectKey) else {
                throw unarchiver.error ?? CocoaError(.coderValueNotFound)
            }
            return value
        })
}
