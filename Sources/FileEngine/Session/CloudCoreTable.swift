import ListChanges

/// A table of a CloudCore extension, as the original lays it out.
package enum CloudCoreTable: String, CaseIterable, Sendable {
    /// The names of the pipelines.
    case pipelines = "cloudcore_pipeline3_"
    /// The operations. `pipelineID` is the rowid of a pipeline, NULL for the default one; `graphID` is the number of the commit
    /// that queued the operation, or of another that comes before and after the same commits.
    case queue = "cloudcore_queue2_"
    /// A value for each key and identifier. Exists once tags were enabled.
    case tags = "cloudcore_tag_"
    /// The rows that are attached to a URI. Exists once attaching was enabled.
    case mapping = "cloudcore_mapping_"

    /// The table of this name, whatever the extension's.
    package init?(table: String) {
        guard let found = Self.allCases.first(where: { table.startsWithBytes(of: $0.rawValue) }) else { return nil }
        self = found
    }

    package func name(ofExtension name: String) -> String { rawValue + name }

    /// The columns' definitions.
    package var definition: String {
        switch self {
        case .pipelines: #""rowid" INTEGER PRIMARY KEY, "name" TEXT NOT NULL, "algorithm" INTEGER NOT NULL"#
        case .queue:
            #""rowid" INTEGER PRIMARY KEY, "pipelineID" INTEGER, "graphID" INTEGER NOT NULL, "operation" BLOB"#
        case .tags:
            #""key" TEXT NOT NULL, "identifier" TEXT NOT NULL, "tag" BLOB NOT NULL, PRIMARY KEY ("key", "identifier")"#
        case .mapping: #""database_rowid" INTEGER NOT NULL, "cloudURI" TEXT NOT NULL"#
        }
    }

    package var columns: Set<String> {
        switch self {
        case .pipelines: ["rowid", "name", "algorithm"]
        case .queue: ["rowid", "pipelineID", "graphID", "operation"]
        case .tags: ["key", "identifier", "tag"]
        case .mapping: ["database_rowid", "cloudURI"]
        }
    }

    /// The columns that each have an index.
    package var indexed: [String] { self == .mapping ? ["database_rowid", "cloudURI"] : [] }
}
