/// Who may write and read the rows of a collection, checked by the server for each row:
/// ``YapDatabaseServerAdministration/setRules(_:space:)``.
///
/// ```swift
/// var rule = YapDatabaseServerRule(collection: "notes")
/// rule.owner = .field("author")  // alone changes and removes a note
/// rule.readers = .field("members")  // "alice&bob", or "#all" for everyone
/// rule.signed = ["reactions"]  // each adds and removes the own name
/// ```
///
/// Objects must be property lists or JSON with fields. Names belong to roles:
/// ``YapDatabaseServerAdministration/setName(_:ofRole:space:)``. The owner of the server's tables may write everything.
public struct YapDatabaseServerRule: Hashable, Sendable {
    /// Where a row has a name.
    public enum Place: Hashable, Sendable {
        /// In the key: an owner before the first slash, readers after it.
        case key
        /// In a field of the object.
        case field(String)
    }

    /// When others than the owner may remove a row.
    public enum Removal: Hashable, Sendable {
        /// At no time.
        case never
        /// At any time.
        case always
        /// If everyone may read it.
        case ifForEveryone
        /// If a list of names in a field is there, and has no other name than theirs.
        case whenLast(inField: String)
    }

    /// The collection.
    public var collection: String
    /// Whose a row is; nil if it is everyone's who may write the collection.
    public var owner: Place?
    /// Who may read a row, names with `&` between them, or something that begins with `#` for everyone; nil for everyone who may read the
    /// collection. The readers of a row do not change.
    public var readers: Place?
    /// Fields that others than the owner may set, to values of the same kind.
    public var shared: [String] = []
    /// Fields that are lists of names by key, such as reactions: others add and remove their own.
    public var signed: [String] = []
    /// Fields that are lists of names: others remove their own.
    public var acknowledged: [String] = []
    /// Whether others may insert a row for its owner.
    public var othersInsert = false
    /// When others may remove a row.
    public var removal = Removal.never

    /// SQLSTATE of a change that a rule forbids; of a class that PostgreSQL leaves to applications.
    static let refusal = "YAP01"

    /// Creates a rule that forbids nothing.
    public init(collection: String) { self.collection = collection }
}

/// In JSON as `docs/server.md` describes it: places and removals are texts, and what is missing is as in a new rule.
extension YapDatabaseServerRule: Codable {
    private enum CodingKeys: CodingKey, CaseIterable {
        case collection, owner, readers, shared, signed, acknowledged, othersInsert, removal
    }

    /// The names that a rule has in JSON.
    package static var names: [String] { CodingKeys.allCases.map(\.stringValue) }

    /// Decodes a rule.
    /// - Throws: `DecodingError` for what is none.
    public init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        collection = try fields.decode(String.self, forKey: .collection)
        owner = try fields.decodeIfPresent(String.self, forKey: .owner).map(Place.init(text:))
        readers = try fields.decodeIfPresent(String.self, forKey: .readers).map(Place.init(text:))
        shared = try fields.decodeIfPresent([String].self, forKey: .shared) ?? []
        signed = try fields.decodeIfPresent([String].self, forKey: .signed) ?? []
        acknowledged = try fields.decodeIfPresent([String].self, forKey: .acknowledged) ?? []
        othersInsert = try fields.decodeIfPresent(Bool.self, forKey: .othersInsert) ?? false
        removal = Removal(text: try fields.decodeIfPresent(String.self, forKey: .removal))
    }

    /// Encodes the rule.
    /// - Throws: what the encoder throws.
    public func encode(to encoder: any Encoder) throws {
        var fields = encoder.container(keyedBy: CodingKeys.self)
        try fields.encode(collection, forKey: .collection)
        try fields.encodeIfPresent(owner?.text, forKey: .owner)
        try fields.encodeIfPresent(readers?.text, forKey: .readers)
        try fields.encode(shared, forKey: .shared)
        try fields.encode(signed, forKey: .signed)
        try fields.encode(acknowledged, forKey: .acknowledged)
        try fields.encode(othersInsert, forKey: .othersInsert)
        try fields.encodeIfPresent(removal.text, forKey: .removal)
    }
}

extension YapDatabaseServerRule.Place {
    fileprivate init(text: String) { self = text == "/" ? .key : .field(text) }

    /// As the server's table and JSON have it.
    var text: String { if case .field(let name) = self { name } else { "/" } }
}

extension YapDatabaseServerRule.Removal {
    fileprivate init(text: String?) {
        self =
            switch text {
            case nil: .never
            case "*": .always
            case "#": .ifForEveryone
            case .some(let field): .whenLast(inField: field)
            }
    }

    var text: String? {
        switch self {
        case .never: nil
        case .always: "*"
        case .ifForEveryone: "#"
        case .whenLast(let field): field
        }
    }
}
