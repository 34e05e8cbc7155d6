import Foundation
import YapDatabaseExtensions

// One type for each way to store items and metadata: the six patterns, and those of `Codable`.

/// An enumeration that is stored as its coder. The pattern "value".
enum Barcode: Hashable {
    case upca(Int, Int, Int, Int)
    case qrCode(String)
}

extension Barcode: Persistable, ValueCoding {
    typealias Coder = BarcodeCoder
    static let collection = "Barcodes"
    var identifier: String {
        switch self {
        case .upca(let system, let maker, let product, let check): "\(system).\(maker).\(product).\(check)"
        case .qrCode(let code): code
        }
    }
}

final class BarcodeCoder: NSObject, NSCoding, CodingType {
    let value: Barcode

    init(_ value: Barcode) { self.value = value }

    init?(coder: NSCoder) {
        if coder.containsValue(forKey: "code") {
            guard let code = coder.decodeObject(forKey: "code") as? String else { return nil }
            value = .qrCode(code)
        } else {
            guard coder.containsValue(forKey: "check") else { return nil }
            let numbers = ["system", "maker", "product", "check"].map { coder.decodeInteger(forKey: $0) }
            value = .upca(numbers[0], numbers[1], numbers[2], numbers[3])
        }
    }

    func encode(with coder: NSCoder) {
        switch value {
        case .upca(let system, let maker, let product, let check):
            for (name, number) in [("system", system), ("maker", maker), ("product", product), ("check", check)] {
                coder.encode(number, forKey: name)
            }
        case .qrCode(let code): coder.encode(code, forKey: "code")
        }
    }
}

/// The pattern "value with value metadata". Its coder holds another coder.
struct Product: Persistable, ValueCoding, Hashable {
    typealias Coder = ProductCoder

    struct Category: ValueCoding, Hashable {
        typealias Coder = CategoryCoder
        let number: Int
    }

    static let collection = "Products"
    var metadata: Category?
    let identifier: Identifier
    var name: String
    var barcode: Barcode
}

final class ProductCoder: NSObject, NSCoding, CodingType {
    let value: Product

    init(_ value: Product) { self.value = value }

    init?(coder: NSCoder) {
        guard let identifier = coder.decodeObject(forKey: "identifier") as? String,
            let name = coder.decodeObject(forKey: "name") as? String,
            let barcode = Barcode.decode(coder.decodeObject(forKey: "barcode"))
        else { return nil }
        value = Product(identifier: identifier, name: name, barcode: barcode)
    }

    func encode(with coder: NSCoder) {
        coder.encode(value.identifier, forKey: "identifier")
        coder.encode(value.name, forKey: "name")
        coder.encode(value.barcode.encoded, forKey: "barcode")
    }
}

final class CategoryCoder: NSObject, NSCoding, CodingType {
    let value: Product.Category

    init(_ value: Product.Category) { self.value = value }
    init?(coder: NSCoder) { value = Product.Category(number: coder.decodeInteger(forKey: "number")) }
    func encode(with coder: NSCoder) { coder.encode(value.number, forKey: "number") }
}

/// The pattern "value with object metadata".
struct Inventory: Persistable, ValueCoding, Hashable {
    typealias Coder = InventoryCoder
    static let collection = "Inventory"
    var metadata: NSNumber?
    let identifier: Int
    var shelf: String
}

final class InventoryCoder: NSObject, NSCoding, CodingType {
    let value: Inventory

    init(_ value: Inventory) { self.value = value }

    init?(coder: NSCoder) {
        guard let shelf = coder.decodeObject(forKey: "shelf") as? String else { return nil }
        value = Inventory(identifier: coder.decodeInteger(forKey: "number"), shelf: shelf)
    }

    func encode(with coder: NSCoder) {
        coder.encode(value.identifier, forKey: "number")
        coder.encode(value.shelf, forKey: "shelf")
    }
}

class NamedEntity: NSObject, NSCoding {
    let identifier: Identifier
    let name: String

    required init(id: String, name: String) {
        identifier = id
        self.name = name
    }

    required init?(coder: NSCoder) {
        guard let identifier = coder.decodeObject(forKey: "identifier") as? String,
            let name = coder.decodeObject(forKey: "name") as? String
        else { return nil }
        self.identifier = identifier
        self.name = name
    }

    func encode(with coder: NSCoder) {
        coder.encode(identifier, forKey: "identifier")
        coder.encode(name, forKey: "name")
    }

    override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? NamedEntity else { return false }
        return (identifier, name) == (other.identifier, other.name)
    }

    override var hash: Int { identifier.hashValue }
}

/// The pattern "object".
class Person: NamedEntity {}

extension Person: Persistable {
    static var collection: String { "People" }
}

/// The pattern "object with object metadata".
class Employee: NamedEntity {
    var metadata: NSDate?
}

extension Employee: Persistable {
    static var collection: String { "Employees" }
}

/// The pattern "object with value metadata".
class Manager: NamedEntity {
    struct Reports: Hashable {
        let count: Int
    }

    var metadata: Reports?
}

extension Manager: Persistable {
    static var collection: String { "Managers" }
}

extension Manager.Reports: ValueCoding {
    typealias Coder = ReportsCoder
}

final class ReportsCoder: NSObject, NSCoding, CodingType {
    let value: Manager.Reports

    init(_ value: Manager.Reports) { self.value = value }
    init?(coder: NSCoder) { value = Manager.Reports(count: coder.decodeInteger(forKey: "count")) }
    func encode(with coder: NSCoder) { coder.encode(value.count, forKey: "count") }
}

/// `Codable`, without metadata.
struct Note: Persistable, Codable, Hashable {
    static let collection = "Notes"
    let identifier: UUID
    var text: String
}

/// `Codable`, as its metadata is; in JSON.
struct Letter: Persistable, Codable, Hashable {
    struct Stamp: Codable, Hashable {
        var cents: Int
    }

    enum CodingKeys: String, CodingKey { case identifier, text }

    static let collection = "Letters"
    static var objectCoding: YapDB.Coding { .codable(Letter.self, as: .json) }
    var metadata: Stamp?
    let identifier: Int
    var text: String
}

/// `Codable`, with metadata that is an object.
struct Parcel: Persistable, Codable, Hashable {
    enum CodingKeys: String, CodingKey { case identifier, weight }

    static let collection = "Parcels"
    var metadata: Label?
    let identifier: Int
    var weight: Double
}

/// A class that is nothing but an object.
final class Label: NSObject, NSCoding {
    let text: String

    init(_ text: String) { self.text = text }
    init?(coder: NSCoder) { text = coder.decodeObject(forKey: "text") as? String ?? "" }
    func encode(with coder: NSCoder) { coder.encode(text, forKey: "text") }
    override func isEqual(_ object: Any?) -> Bool { (object as? Label)?.text == text }
    override var hash: Int { text.hashValue }
}
