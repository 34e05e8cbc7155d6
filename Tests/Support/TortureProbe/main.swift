import Foundation
import TortureLedger

/// The child processes of the torture tests. Each failure is reported on standard error, with exit code 1.
let arguments = CommandLine.arguments.dropFirst()
do {
    switch arguments.first {
    case "write": try writeForever(path: argument(1), writer: argument(2), seed: number(3))
    case "line": try writeInLine(path: argument(1))
    case "make": try makeLedger(path: argument(1), count: Int(number(2)))
    case "step": try dieAtStep(path: argument(1), step: Int32(number(2)))
    case "notes": try makeNotes(path: argument(1))
    case "migrate": try migrateNotes(path: argument(1), step: Int32(number(2)))
    case "migrated": try checkNotes(path: argument(1))
    case "old-notes": try changeOldNotes(path: argument(1))
    case "beside-old": try migrateBesideOldNotes(path: argument(1), other: Int32(number(2)))
    case "both-done":
        try checkOldNotes(path: argument(1), changed: Set(argument(2).split(separator: ",").compactMap { Int($0) }))
    case "related": try makeRelatedRows(path: argument(1))
    case "relate": try changeRelatedRows(path: argument(1), step: Int32(number(2)))
    case "relate-knowing": try writeRelatedRows(path: argument(1), seed: number(2), knowsLists: true)
    case "relate-plain": try writeRelatedRows(path: argument(1), seed: number(2), knowsLists: false)
    case "related-check": try checkRelatedRows(path: argument(1))
    case "full": try fillTheDisk(path: argument(1), seed: number(2), rounds: Int(number(3)), by: argument(4))
    case "faults": try failCalls(folder: argument(1), kind: Int32(number(2)), step: Int(number(3)))
    case "damage": try readDamaged(folder: argument(1), seed: number(2), count: Int(number(3)))
    case "descriptors":
        try writeWithFewDescriptors(path: argument(1), free: Int(number(2)), opensBefore: number(3) != 0)
    default:
        try require(
            false,
            "usage: torture-probe write|line|make|step|notes|migrate|migrated|related|full|faults|damage|descriptors …")
    }
} catch {
    FileHandle.standardError.write(Data("torture-probe: \(error)\n".utf8))
    exit(1)
}

func argument(_ index: Int) throws -> String {
    let position = arguments.startIndex + index
    try require(arguments.indices.contains(position), "argument \(index) is missing")
    return arguments[position]
}

func number(_ index: Int) throws -> UInt64 {
    let text = try argument(index)
    guard let number = UInt64(text) else { throw Broken("\(text) is not a number") }
    return number
}
