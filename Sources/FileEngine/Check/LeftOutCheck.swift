import ListChanges

/// Finds the rows that an extension leaves out, because a program that keeps it could not decode them.
struct LeftOutCheck {
    let store: Store
    let name: String

    func problems() throws -> [YapDatabaseProblem] {
        var problems = try store.leftOutRows(extension: name).map { row in
            YapDatabaseProblem.leftOut(name, "leaves out \(row.key), which could not be decoded: \(row.cause)")
        }
        let others = try store.otherLeftOutRows(extension: name)
        if others > 0 {
            problems.append(.leftOut(name, "leaves out about \(others) more rows, which could not be decoded"))
        }
        return problems
    }
}
