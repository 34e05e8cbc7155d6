import FileReading
import Foundation
import YapDatabase

extension CheckAnswer {
    /// Returns one line. It has `error` if the file cannot be read, otherwise everything else.
    func json() throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return String(
            decoding: try encoder.encode(JSONAnswer(file: path, isSound: isSound, result, lost, isCounted: isCounted)),
            as: UTF8.self)
    }
}

private struct JSONAnswer: Encodable {
    struct View: Encodable {
        let name: String
        let groups: Int
        let rows: Int
        let isStale: Bool
    }
    struct Problem: Encodable {
        let `extension`: String?
        let description: String
        let kind: String
        let canBeRebuilt: Bool
        let remedy: String
    }

    /// A row that is lost except for its key.
    struct Lost: Encodable {
        let rowid: Int64
        let collection: String
        let key: String
    }

    let file: String
    let isSound: Bool
    var error: String?
    var snapshot: Int?
    var collections: Int?
    var rows: Int?
    var views: [View]?
    var problems: [Problem]?
    var lost: [Lost]?

    init(
        file: String, isSound: Bool, _ result: Result<YapDatabaseCheckReport, YapDatabaseError>, _ lost: [LostRow],
        isCounted: (YapDatabaseCheckReport) -> Bool
    ) {
        self.file = file
        self.isSound = isSound
        if !lost.isEmpty {
            self.lost = lost.map { Lost(rowid: $0.rowid, collection: $0.collection.text, key: $0.key.text) }
        }
        switch result {
        case .failure(let failure): error = "\(failure)"
        case .success(let report):
            if isCounted(report) {
                (snapshot, collections, rows) = (report.snapshot, report.collections, report.rows)
            }
            views = report.views.map { View(name: $0.name, groups: $0.groups, rows: $0.rows, isStale: $0.isStale) }
            problems = report.problems.map {
                Problem(
                    extension: $0.extensionName, description: $0.description, kind: $0.kind.rawValue,
                    canBeRebuilt: $0.canBeRebuilt, remedy: $0.remedy)
            }
        }
    }
}
