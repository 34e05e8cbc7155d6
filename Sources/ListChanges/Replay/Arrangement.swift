/// The rows that a group had before the log and still has, untouched but for dependencies, in stretches that kept
/// their order, from first to last.
struct Arrangement {
    struct Stretch {
        var before: Int
        var after: Int
        var length: Int
        /// What dependencies say of the stretch, which is then one row.
        var flags: ChangeFlags
    }

    var stretches: [Stretch] = []
}

extension Replay {
    /// Finds out where every touched row is now, and gives the untouched rest of each group.
    mutating func arrange() -> [Arrangement] {
        var touches = self.touches
        let arrangements = groups.map { group in
            var arrangement = Arrangement()
            var after = 0
            group.rows.forEachPiece { piece in
                if let touch = piece.touch { touches[Int(touch)].after = after }
                if piece.touch.map({ !touches[Int($0)].hasKey }) ?? true {
                    let flags = piece.touch.map { touches[Int($0)].flags } ?? []
                    arrangement.stretches.append(
                        Arrangement.Stretch(before: piece.before, after: after, length: piece.length, flags: flags))
                }
                after += piece.length
            }
            return arrangement
        }
        self.touches = touches
        return arrangements
    }
}
