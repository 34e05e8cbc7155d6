/// A class that an archive names.
struct ArchivedClass {
    /// More classes than any honest archive has; beyond, each is looked up again.
    static let remembered = 32

    enum Kind {
        case array, set, dictionary, string, data, date, url, uuid, decimal, null, other
    }

    let name: String
    let kind: Kind

    init(name: String) {
        self.name = name
        kind =
            switch name {
            case "NSArray", "NSMutableArray": .array
            case "NSSet", "NSMutableSet", "NSOrderedSet", "NSMutableOrderedSet": .set
            case "NSDictionary", "NSMutableDictionary": .dictionary
            case "NSString", "NSMutableString": .string
            case "NSData", "NSMutableData": .data
            case "NSDate": .date
            case "NSURL": .url
            case "NSUUID": .uuid
            case "NSDecimalNumber": .decimal
            case "NSNull": .null
            default: .other
            }
    }
}
