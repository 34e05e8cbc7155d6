/// A class named in an archive.
struct ArchivedClass {
    /// The most classes that are cached, more than any real archive has. Others are looked up each time.
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
            // Nearly all are classes of the app.
            case _ where name.utf8.first != UInt8(ascii: "N"): .other
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
