/// The rows that a group had before the log and still has, touched by dependencies at most, as stretches that kept
/// their order, from first to last.
struct UnchangedRuns {
    struct Stretch {
        var before: Int
        var after: Int
        var length: Int
        /// What dependencies report about the stretch, which is a single row in that case.
        var flags: ChangeFlags
    }

    var stretches: [Stretch] = []
}

extension Replay {
    /// Finds the present place of every touched row of the group, and returns the untouched rest if `isNeeded`.
    mutating func placeTouched(_ slot: Int, isNeeded: Bool) -> UnchangedRuns {
        var untouched = UnchangedRuns()
        var after = 0
        groups[slot].rows.drainPieces { piece in
            var stretch = UnchangedRuns.Stretch(before: piece.source, after: after, length: piece.length, flags: [])
            var isUntouched = true
            if let touch = piece.touch {
                touches[Int(touch)].after = after
                let touch = touches[Int(touch)]
                (isUntouched, stretch.before, stretch.flags) = (!touch.hasKey, touch.before, touch.flags)
            }
            if isNeeded, isUntouched { untouched.stretches.append(stretch) }
            after += piece.length
        }
        return untouched
    }
}
