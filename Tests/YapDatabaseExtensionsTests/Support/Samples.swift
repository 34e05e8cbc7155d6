import Foundation
import TestSupport
import YapDatabaseExtensions

/// A type of the shop, of which tests can make items.
protocol Sampled: Persistable, Hashable {
    /// Makes the item of a number, with content and metadata of other numbers; 0 is no metadata.
    static func sample(_ number: Int, content: Int, metadata: Int) -> Self
    /// The metadata as a text, because not all of it can be compared.
    var metadataText: String { get }
}

extension Sampled {
    var metadataText: String { metadata.map { "\($0)" } ?? "none" }

    static func random(_ random: inout SplitMix64, below limit: Int) -> Self {
        sample(random.below(limit), content: random.below(1_000), metadata: random.below(3))
    }
}

extension Barcode: Sampled {
    static func sample(_ number: Int, content: Int, metadata: Int) -> Barcode {
        number.isMultiple(of: 2) ? .qrCode("code \(number)") : .upca(number, 2, 3, 4)
    }
}

extension Product: Sampled {
    static func sample(_ number: Int, content: Int, metadata: Int) -> Product {
        Product(
            metadata: metadata == 0 ? nil : Category(number: metadata), identifier: "product-\(number)",
            name: "Gin \(content)", barcode: .qrCode("\(content)"))
    }
}

extension Inventory: Sampled {
    static func sample(_ number: Int, content: Int, metadata: Int) -> Inventory {
        Inventory(
            metadata: metadata == 0 ? nil : NSNumber(value: metadata), identifier: number, shelf: "shelf \(content)")
    }
}

extension Person: Sampled {
    static func sample(_ number: Int, content: Int, metadata: Int) -> Self {
        Self(id: "beatle-\(number)", name: "Ringo \(content)")
    }
}

extension Employee: Sampled {
    static func sample(_ number: Int, content: Int, metadata: Int) -> Self {
        let employee = Self(id: "beatle-\(number)", name: "Ringo \(content)")
        employee.metadata = metadata == 0 ? nil : NSDate(timeIntervalSinceReferenceDate: Double(metadata))
        return employee
    }
}

extension Manager: Sampled {
    static func sample(_ number: Int, content: Int, metadata: Int) -> Self {
        let manager = Self(id: "beatle-\(number)", name: "Ringo \(content)")
        manager.metadata = metadata == 0 ? nil : Reports(count: metadata)
        return manager
    }
}

extension Note: Sampled {
    static func sample(_ number: Int, content: Int, metadata: Int) -> Note {
        Note(
            identifier: UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, UInt8(number))),
            text: "note \(content)")
    }
}

extension Letter: Sampled {
    static func sample(_ number: Int, content: Int, metadata: Int) -> Letter {
        Letter(metadata: metadata == 0 ? nil : Stamp(cents: metadata), identifier: number, text: "letter \(content)")
    }
}

extension Parcel: Sampled {
    static func sample(_ number: Int, content: Int, metadata: Int) -> Parcel {
        Parcel(metadata: metadata == 0 ? nil : Label("label \(metadata)"), identifier: number, weight: Double(content))
    }

    var metadataText: String { metadata?.text ?? "none" }
}

/// The types, one for each pattern.
enum Shop {
    static let types: [any Sampled.Type] = [
        Barcode.self, Product.self, Inventory.self, Person.self, Employee.self, Manager.self, Note.self, Letter.self,
        Parcel.self,
    ]
}
