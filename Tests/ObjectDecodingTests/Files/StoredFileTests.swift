import Foundation
import Testing

@testable import ObjectDecoding

/// The rows of the original's files, against Foundation's decoding.
@Suite struct StoredFileTests {
    @Test func propertyListsAreWhatFoundationReads() throws {
        let rows = try StoredRow.all(ofFile: "books")
        #expect(rows.count == 481)
        for row in rows {
            for bytes in [row.object, row.metadata] where !bytes.isEmpty {
                try expect(
                    bytes, is: PropertyListSerialization.propertyList(from: Data(bytes), format: nil), as: .plist)
            }
        }
    }

    @Test func jsonIsWhatFoundationReads() throws {
        let rows = try StoredRow.all(ofFile: "json")
        #expect(rows.count == 120)
        for row in rows {
            for bytes in [row.object, row.metadata] where !bytes.isEmpty {
                let value = try JSONSerialization.jsonObject(with: Data(bytes), options: .fragmentsAllowed)
                try expect(bytes, is: value, as: .json)
            }
        }
    }

    @Test func archivesAreWhatFoundationReads() throws {
        let rows = try StoredRow.all(ofFile: "chat")
        #expect(rows.count == 204)
        for row in rows {
            for bytes in [row.object, row.metadata] where !bytes.isEmpty {
                let unarchiver = try NSKeyedUnarchiver(forReadingFrom: Data(bytes))
                unarchiver.requiresSecureCoding = false
                unarchiver.setClass(StoredMessage.self, forClassName: "Message")
                let value = try #require(unarchiver.decodeObject(forKey: NSKeyedArchiveRootObjectKey))
                try expect(bytes, is: value, as: .archive)
            }
        }
    }

    private func expect(_ bytes: [UInt8], is value: Any, as format: ObjectFormat) throws {
        let object = ObjectDecoder().decode(bytes)
        #expect(object.formats == [format] && object.error == nil)
        let form = try JSONSerialization.jsonObject(with: Data(object.json.utf8), options: .fragmentsAllowed)
        let (ours, theirs) = (try text(form), try text(FoundationForm.of(value)))
        #expect(ours == theirs)
    }

    private func text(_ form: Any) throws -> String {
        let data = try JSONSerialization.data(withJSONObject: form, options: [.sortedKeys, .fragmentsAllowed])
        return String(decoding: data, as: UTF8.self)
    }
}

/// The only class in the original's files, decoded as an app would.
private final class StoredMessage: NSObject, NSCoding {
    let fields: [String: Any]

    init?(coder: NSCoder) {
        var fields: [String: Any] = ["$class": "Message"]
        for name in ["conversation", "date", "sender", "text"] { fields[name] = coder.decodeObject(forKey: name) }
        fields["isRead"] = coder.decodeBool(forKey: "isRead")
        fields["serverID"] = coder.decodeInt64(forKey: "serverID")
        self.fields = fields
    }

    func encode(with coder: NSCoder) { preconditionFailure("The tests only read.") }
}

/// The JSON form of values decoded by Foundation.
private enum FoundationForm {
    static func of(_ value: Any) -> Any {
        switch value {
        case let message as StoredMessage: message.fields.mapValues(of)
        case let date as Date: ["$date": date.formatted(.iso8601.withFraction(of: date))]
        case let data as Data: ["$data": data.base64EncodedString()]
        case let url as URL: ["$url": url.absoluteString]
        case let set as Set<AnyHashable>: ["$set": set.map { of($0.base) }]
        case let array as [Any]: array.map(of)
        case let dictionary as [String: Any]: dictionary.mapValues(of)
        default: value
        }
    }
}

extension Date.ISO8601FormatStyle {
    fileprivate func withFraction(of date: Date) -> Self {
        let isWhole = date.timeIntervalSinceReferenceDate.rounded() == date.timeIntervalSinceReferenceDate
        return Date.ISO8601FormatStyle(includingFractionalSeconds: !isWhole)
    }
}
