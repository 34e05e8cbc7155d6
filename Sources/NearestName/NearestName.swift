/// Returns the name that is most like a text, if one is so much like it that a slip of the fingers may be the difference.
package func nearestName(to text: String, in names: some Sequence<String>) -> String? {
    let wanted = Array(text.lowercased())
    let most = max(1, wanted.count / 3)
    return names.map { ($0, edits(from: wanted, to: Array($0.lowercased()))) }.filter { $0.1 <= most }
        .min { ($0.1, $0.0) < ($1.1, $1.0) }?.0
}

/// Returns the question whether something else is meant.
package func didYouMean(_ other: String) -> String { "Did you mean \(other)?" }

/// Returns the question whether the name that is most like a text is meant; nil if none is like it.
/// - Parameter form: how a name is written where it is meant, as `--name`.
package func didYouMean(
    insteadOf text: String, in names: some Sequence<String>, as form: (String) -> String = { $0 }
) -> String? {
    nearestName(to: text, in: names).map { didYouMean(form($0)) }
}

/// The fewest characters to be inserted, removed, replaced or swapped with their neighbor, to make one text of another.
private func edits(from first: [Character], to second: [Character]) -> Int {
    var before: [Int] = []
    var row = Array(0...second.count)
    for i in first.indices {
        var next = [i + 1]
        for j in second.indices {
            let isSame = first[i] == second[j]
            var fewest = min(row[j + 1] + 1, next[j] + 1, row[j] + (isSame ? 0 : 1))
            if i > 0, j > 0, first[i] == second[j - 1], first[i - 1] == second[j] {
                fewest = min(fewest, before[j - 1] + 1)
            }
            next.append(fewest)
        }
        (before, row) = (row, next)
    }
    return row[second.count]
}
