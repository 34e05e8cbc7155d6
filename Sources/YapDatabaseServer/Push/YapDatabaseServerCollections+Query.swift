import Foundation

extension YapDatabaseServerCollections {
    /// 0 for all, 1 for these, 2 for all but these, as the server's queries take it.
    var choice: Int64 {
        switch self {
        case .all: 0
        case .only: 1
        case .allExcept: 2
        }
    }

    var names: [Data] {
        switch self {
        case .all: []
        case .only(let names), .allExcept(let names): names.map { Data($0.utf8) }
        }
    }
}
