import Foundation
import YapDatabase

/// One struct of six fields, against Foundation's coders.
let codingCases: [Case] = [
    codingCase("encode/plist", atMost: 0.2) { (try serialize(.propertyList), { try propertyLists.encode($0).count }) },
    codingCase("decode/plist", atMost: 0.2) {
        let bytes = try propertyLists.encode(contact)
        return (
            try deserialize(.propertyList, bytes),
            { _ in try PropertyListDecoder().decode(Contact.self, from: bytes).id }
        )
    },
    codingCase("encode/json", atMost: 0.5) { (try serialize(.json), { try JSONEncoder().encode($0).count }) },
    codingCase("decode/json", atMost: 0.5) {
        let bytes = try JSONEncoder().encode(contact)
        return (try deserialize(.json, bytes), { _ in try JSONDecoder().decode(Contact.self, from: bytes).id })
    },
]

private struct Contact: Codable, Sendable {
    var id: Int
    var name, email, city: String
    var score: Double
    var born: Date
}

private let contact = Contact(
    id: 123_456, name: "Alice Example", email: "alice.example@example.org", city: "Rotterdam", score: 12.375,
    born: Date(timeIntervalSinceReferenceDate: 700_000_000.25))

private let propertyLists: PropertyListEncoder = {
    let encoder = PropertyListEncoder()
    encoder.outputFormat = .binary
    return encoder
}()

/// Codes a value or its bytes, and returns a number that depends on the result.
private typealias Coding = (Contact) throws -> Int

private func serialize(_ format: YapDatabaseCodableFormat) throws -> Coding {
    let serializer = YapDatabase.codableSerializer(Contact.self, as: format)
    return { try serializer("", "", $0).count }
}

private func deserialize(_ format: YapDatabaseCodableFormat, _ bytes: Data) throws -> Coding {
    let deserializer = YapDatabase.codableDeserializer(Contact.self, as: format)
    return { _ in
        guard let contact = try deserializer("", "", bytes) as? Contact else { throw RawError("The value is lost.") }
        return contact.id
    }
}

private func codingCase(
    _ name: String, atMost limit: Double, _ codings: @escaping @Sendable () throws -> (ours: Coding, theirs: Coding)
) -> Case {
    Case(name: name, n: 1, k: 1, unit: "µs", targets: [.ratio(atMost: limit)]) {
        let (ours, theirs) = try codings()
        let count = 2_000
        var times: (ours: [Double], raw: [Double]) = ([], [])
        for _ in 0..<25 {
            times.ours.append(try passed { for _ in 0..<count { keep(try ours(contact)) } })
            times.raw.append(try passed { for _ in 0..<count { keep(try theirs(contact)) } })
        }
        return Measurement(times.ours, times.raw, scale: 1e6 / Double(count))
    }
}
