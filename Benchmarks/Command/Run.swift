import Foundation

/// Runs `yap-bench ARGUMENTS`.
///
/// - Returns: the exit code: 0, also if a target is missed, because that is a result and not a failure; 1 if a case
///   cannot be measured; 2 for invalid arguments.
@MainActor func run(_ words: [String]) -> Int32 {
    do {
        let arguments = try Arguments(words)
        switch arguments.action {
        case .help: print(help, terminator: "")
        case .writeStamps(let file): try writeStamps(to: URL(filePath: file))
        case .writePlainly(let file, let collection): try writePlainly(to: URL(filePath: file), collection)
        case .hold(let file): try holdFile(URL(filePath: file))
        case .company(let words): try performCompanyWork(words)
        case .openInbox(let file): try openInbox(URL(filePath: file))
        case .memory(let work, let file, let rows): try MemoryWork.run(work, on: file, rows: rows)
        case .list: suite.forEach { print($0.name) }
        case .measure: return measure(try suite.cases(named: arguments.names), arguments.isJSON)
        }
        return 0
    } catch {
        printError("\(error)")
        return 2
    }
}

/// Measures one case after the other; a case that fails does not stop the others.
@MainActor private func measure(_ cases: [Case], _ isJSON: Bool) -> Int32 {
    var code: Int32 = 0
    let table = ResultTable(cases)
    if !isJSON { print(table.head) }
    for one in cases {
        do {
            let measurement = try cases.count > 1 && one.isAlone ? one.measureInOwnProcess() : one.measure()
            print(isJSON ? one.json(measurement) : table.line(one, measurement))
            // Shows each line as soon as it is available.
            fflush(nil)
        } catch {
            printError("\(one.name) cannot be measured: \(error)")
            code = 1
        }
    }
    if !isJSON { print(table.foot) }
    MemoryFile.remove()
    // A case in its own process keeps the large file for the cases that follow.
    if !isJSON, cases.contains(where: { $0.name.hasPrefix("browse_") }) {
        do { try BrowsedRows.remove() } catch { printError("The file of many rows cannot be removed: \(error)") }
    }
    return code
}

private func printError(_ text: String) {
    FileHandle.standardError.write(Data("yap-bench: \(text)\n".utf8))
}
