import ListChanges
import SQLiteBridge

/// What `yap2` stores about an extension.
package struct RegisteredExtension: Hashable, Sendable {
    /// The original's name of the class.
    package var className: String
    /// The version of the table layout.
    package var classVersion: Int
    /// In a stale extension that can be rebuilt from the rows, a tag that no program registers.
    package var versionTag: String
    /// Whether rows changed while no program updated the extension, so that its content must not be used.
    package var isStale = false

    package init(className: String, classVersion: Int, versionTag: String, isStale: Bool = false) {
        self.className = className
        self.classVersion = classVersion
        self.versionTag = versionTag
        self.isStale = isStale
    }

    /// By the bytes of the tags, which may contain texts that a list goes by.
    package static func == (one: Self, other: Self) -> Bool {
        one.className == other.className && one.classVersion == other.classVersion && one.isStale == other.isStale
            && one.versionTag.hasSameBytes(as: other.versionTag)
    }
}

/// Extensions whose content is outdated, because rows changed while no program updated them.
///
/// The mark must work for this library and the original: a stale extension gets the `versionTag` `stale:` followed by the old
/// one, and the next program that registers it sees an unknown tag and populates it again, as far as it follows from the rows
/// (``StoredClass``). Content of the user's own is kept right instead (``DormantContent``); earlier releases gave such an extension a row
/// `stale`, which the original ignores.
extension Store {
    fileprivate static let tagPrefix = "stale:"
    private static let staleKey = "stale"

    package func markStale(extension name: String) throws {
        let className = try yapValue(extension: name, key: "class")?.text ?? ""
        guard StoredClass(className).isMarkedByTag else {
            return try setYapValue(.integer(1), extension: name, key: Self.staleKey)
        }
        let tag = try storedTag(name, className)
        guard !tag.startsWithBytes(of: Self.tagPrefix) else { return }
        try setYapValue(.text(Self.tagPrefix + tag), extension: name, key: "versionTag")
    }

    /// Whether an extension can be rebuilt from the rows. True without an entry in `yap2`, because such content is not worth
    /// keeping.
    package func followsFromRows(extension name: String) throws -> Bool {
        try yapValue(extension: name, key: "class").map { StoredClass($0.text).followsFromRows } ?? true
    }

    /// Whether a program fills an extension again that registers it with another version tag: also rows that are derived, by a rule that only
    /// the program knows. True without an entry in `yap2`.
    package func isFilledAgain(extension name: String) throws -> Bool {
        try yapValue(extension: name, key: "class").map { StoredClass($0.text).isFilledAgain } ?? true
    }

    /// Whether the content of an extension comes from that of another one.
    package func followsExtension(_ name: String) throws -> Bool {
        try yapValue(extension: name, key: "class").map { StoredClass($0.text).followsExtension } ?? false
    }

    /// The extensions of `yap2` that concern a program which changes rows. These are all extensions except stale ones whose tables are not read
    /// until they are filled again.
    package func dormantExtensions() throws -> Set<String> {
        try Set(
            yapExtensionNames().filter { name in
                try registeredExtension(name).map { !$0.isStale || !StoredClass($0.className).isUnusedWhenStale }
                    ?? false
            })
    }

    /// The entry of an extension; nil if there is none.
    package func registeredExtension(_ name: String) throws -> RegisteredExtension? {
        guard let className = try yapValue(extension: name, key: "class")?.text else { return nil }
        let tag = try storedTag(name, className)
        let hasMark = try yapValue(extension: name, key: Self.staleKey) != nil
        return RegisteredExtension(
            className: className,
            classVersion: try Int(yapValue(extension: name, key: "classVersion")?.integer ?? 0),
            versionTag: tag, isStale: hasMark || tag.startsWithBytes(of: Self.tagPrefix))
    }

    /// The tag, also one that the original stored under an older key.
    private func storedTag(_ name: String, _ className: String) throws -> String {
        if let tag = try yapText(extension: name, key: "versionTag") { return tag }
        return try yapText(extension: name, key: StoredClass(className).oldTagKey) ?? ""
    }

    /// Keys of older releases of the original, in whose place others are.
    private static let oldKeys = ["version", "tag", "searchResultViewClassVersion"]

    /// Gives an entry that is up to date the present keys, if it has older ones.
    package func replaceOldKeys(of registered: RegisteredExtension, name: String) throws {
        if try Self.oldKeys.contains(where: { try yapValue(extension: name, key: $0) != nil }) {
            try setRegisteredExtension(registered, name: name)
        }
    }

    private static let declaredTagKey = "declaredTag"

    /// The tag with which an extension was declared whose filter or groups a program has replaced since; nil if they were not.
    package func declaredTag(extension name: String) throws -> String? {
        try yapText(extension: name, key: Self.declaredTagKey)
    }

    /// Stores the tag of the filter or the groups that a program has set in the place of those that were declared.
    package func replaceTag(by tag: String, extension name: String) throws {
        let declared = try declaredTag(extension: name) ?? registeredExtension(name)?.withoutStaleMark.versionTag
        try setYapValue(.text(tag), extension: name, key: "versionTag")
        guard let declared, !declared.hasSameBytes(as: tag) else { return try forgetDeclaredTag(extension: name) }
        try setYapValue(.text(declared), extension: name, key: Self.declaredTagKey)
    }

    /// Notes that an extension is as it was declared.
    package func forgetDeclaredTag(extension name: String) throws {
        try removeYapValue(extension: name, key: Self.declaredTagKey)
    }

    private static let partOfKey = "partOf"

    /// Notes that an extension serves another one alone, so that a program that knows neither can drop both. Writes nothing if it is noted already.
    package func setPart(of owner: String?, extension name: String) throws {
        try setYapText(owner, extension: name, key: Self.partOfKey)
    }

    /// The extension that derives rows for a list and serves this list alone; nil if there is none.
    package func part(ofExtension name: String) throws -> String? {
        let part = RowTable.derivingExtension(ofList: name)
        return try yapText(extension: part, key: Self.partOfKey)?.hasSameBytes(as: name) == true ? part : nil
    }

    /// Stores the entry of an extension that is up to date.
    package func setRegisteredExtension(_ registered: RegisteredExtension, name: String) throws {
        try setYapValue(.text(registered.className), extension: name, key: "class")
        try setYapValue(.integer(Int64(registered.classVersion)), extension: name, key: "classVersion")
        try setYapValue(.text(registered.versionTag), extension: name, key: "versionTag")
        for key in Self.oldKeys + [Self.staleKey] { try removeYapValue(extension: name, key: key) }
    }
}

extension RegisteredExtension {
    /// The entry as it was before the extension became stale.
    package var withoutStaleMark: RegisteredExtension {
        var unmarked = self
        unmarked.isStale = false
        unmarked.versionTag = versionTag.dropping(prefix: Store.tagPrefix) ?? versionTag
        return unmarked
    }
}
