import Foundation
import TortureLedger
import YapDatabase

/// Opens, reads, walks and writes copies of a small file, each with one changed byte or a missing end.
///
/// The guarantee: never a crash, a hang or an error without a code. SQLite keeps no checksums of its pages, so a
/// changed byte inside a stored value, key or name may go unnoticed. `YapDatabase.check` must find any other wrong
/// answer.
func readDamaged(folder: String, seed: UInt64, count: Int) throws {
    let template = try DamageTemplate(folder: folder)
    var tally: [String: Int] = [:]
    for number in 0..<count {
        var random = SplitMix64(seed: seed &+ UInt64(number))
        let damage = Damage.random(template, using: &random)
        let path = "\(folder)/case.sqlite"
        // If the process dies, the last line identifies the case.
        FileHandle.standardError.write(Data("case \(number), seed \(seed): \(damage)\n".utf8))
        try template.write(to: path, damage)
        let outcome = try read(path, template, damage)
        tally[outcome, default: 0] += 1
    }
    print(tally.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }.joined(separator: ", "))
}

private func read(_ path: String, _ template: DamageTemplate, _ damage: Damage) throws -> String {
    let answer: Answer
    do {
        answer = try Answer.byUse(of: path)
    } catch let error as YapDatabaseError {
        try require(
            error.code != .sqlite || "\(error)".contains("yap check"), "damage is told without advice: \(error)")
        return "told as \(error.code)"
    }
    if template.answers(damage.isInLog).contains(answer) { return "correct" }
    if damage.isInLog { throw Broken("a damaged log shows a state that was never committed: \(answer)") }
    try template.write(to: path, damage)
    let problems = try? YapDatabase.check(url: URL(filePath: path))
    let truth = template.answers(false).first ?? answer
    if problems != [] { return "wrong, and known to the check" }
    try require(
        answer.differsInOneText(from: truth),
        "wrong rows, and the check knows nothing: \(answer.difference(from: truth))")
    return "another byte in a stored text"
}
