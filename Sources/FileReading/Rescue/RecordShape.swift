/// The records that a table or an index of the library has.
struct RecordShape: Sendable {
    private let allows: @Sendable ([Int64]) -> Bool

    func fits(_ head: RecordReader.Head) -> Bool { allows(head.types) }

    private static func isText(_ type: Int64) -> Bool { type >= 13 && !type.isMultiple(of: 2) }

    /// What a column of the type `CHAR NOT NULL` has: numbers become texts in it, and blobs stay.
    private static func isName(_ type: Int64) -> Bool { type >= 12 }

    static let any = RecordShape { _ in true }
    /// `database2`: the rowid is no value of its own, collection and key are names.
    static let rows = RecordShape { $0.count == 5 && $0[0] == 0 && isName($0[1]) && isName($0[2]) }
    /// `yap2`: extension and key are texts.
    static let smallValues = RecordShape { $0.count == 3 && isText($0[0]) && isText($0[1]) }
    /// `true_primary_key`: collection, key and rowid.
    static let keys = RecordShape {
        $0.count == 3 && isName($0[0]) && isName($0[1]) && (1...9).contains($0[2]) && $0[2] != 7
    }
}
