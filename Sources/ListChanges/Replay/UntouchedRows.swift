/// The rows that a group had before the log and still has, touched by dependencies at most, as stretches that kept
/// their order, from first to last.
struct UntouchedRows {
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
    mutating func placeTouched(_ slot: Int, isNeeded: Bool) -> UntouchedRows {
        var untouched = UntouchedRows()
        var after = 0
        groups[slot].rows.drainPieces { piece in
            var flags: ChangeFlags?
            if let touch = piece.touch {
                touches[Int(touch)].after = after
                flags = touches[Int(touch)].hasKey ? nil : touches[Int(touch)].flags
            } else {
                flags = []
            }
            if isNeeded, let flags {
                untouched.stretches.append(
                    UntouchedRows.Stretch(before: piece.before, after: after, length: piece.length, flags: flags))
            }
            after += piece.length
        }
        return untouched
    }
}
