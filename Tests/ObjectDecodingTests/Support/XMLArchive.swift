/// A keyed archive written by hand as XML. The given entries are numbered from 1, and the first is the root.
struct XMLArchive {
    let text: String

    init(_ entries: String...) { self.init(entries: entries) }

    init(entries: [String]) {
        text = """
            <?xml version="1.0" encoding="UTF-8"?><plist version="1.0"><dict><key>$archiver</key>
            <string>NSKeyedArchiver</string><key>$version</key><integer>100000</integer>
            <key>$top</key><dict><key>root</key>\(Self.uid(1))</dict>
            <key>$objects</key><array><string>$null</string>\(entries.joined())</array></dict></plist>
            """
    }

    static func uid(_ index: Int) -> String { "<dict><key>CF$UID</key><integer>\(index)</integer></dict>" }

    static func classEntry(_ name: String) -> String {
        "<dict><key>$classname</key><string>\(name)</string><key>$classes</key><array/></dict>"
    }

    /// Returns an `NSArray` whose class is the given entry.
    static func array(_ elements: [Int], classEntry: Int) -> String {
        "<dict><key>$class</key>\(uid(classEntry))<key>NS.objects</key><array>\(elements.map(uid).joined())</array></dict>"
    }
}
