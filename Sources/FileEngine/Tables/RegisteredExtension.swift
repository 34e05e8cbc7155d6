/// What `yap2` remembers of an extension.
package struct RegisteredExtension: Hashable, Sendable {
    /// The original's name of the class.
    package var className: String
    /// The version of the table layout.
    package var classVersion: Int
    /// In a stale extension whose content follows from the rows, a tag that no program registers with.
    package var versionTag: String
    /// Rows changed while no program kept the extension in step, so its content must not be used.
    package var isStale = false

    package init(className: String, classVersion: Int, versionTag: String, isStale: Bool = false) {
        self.className = className
        self.classVersion = classVersion
        self.versionTag = versionTag
        self.isStale = isStale
    }
}
