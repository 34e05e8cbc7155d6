import FileEngine

extension RowRescue {
    /// A row of the library's table of small values.
    struct SmallValue {
        /// The extension, empty for the file's own, and the key.
        var names: [StoredText]
        var record: StoredRecord

        /// Whether it says that the extension is of this class.
        func isClass(_ name: String) -> Bool {
            names[1].bytes.elementsEqual("class".utf8) && record.values[2] == .text(Array(name.utf8))
        }
    }

    /// Returns the rows of the library's table of small values that are on pages that no tree leads to, with what they name.
    func smallValues() throws -> [SmallValue] {
        var found: [SmallValue] = []
        var met: Set<[StoredText]> = []
        for number in owners.strayLeaves {
            guard let bytes = pages.page(number) else { continue }
            _ = try records(on: bytes, number, RecordShape.smallValues) { _ in
                true
            } found: { record in
                let names = record.values.prefix(2).compactMap(StoredText.init(name:))
                if met.insert(names).inserted { found.append(SmallValue(names: names, record: record)) }
                return true
            }
        }
        return found
    }
}
