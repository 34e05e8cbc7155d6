import TerminalCells

extension [InputEvent] {
    /// These events with consecutive ones merged: wheel steps are added up, and only the last position of a drag or a motion and the last size are
    /// kept.
    public var coalesced: [InputEvent] {
        var result: [InputEvent] = []
        for event in self {
            if let last = result.last, let both = last.merged(with: event) {
                result[result.count - 1] = both
            } else {
                result.append(event)
            }
        }
        return result
    }
}

extension InputEvent {
    fileprivate func merged(with next: InputEvent) -> InputEvent? {
        switch (self, next) {
        case (.resize, .resize): next
        case (.mouse(let first), .mouse(let second)): first.merged(with: second).map { .mouse($0) }
        default: nil
        }
    }
}

extension MouseEvent {
    fileprivate func merged(with next: MouseEvent) -> MouseEvent? {
        guard modifiers == next.modifiers else { return nil }
        switch (kind, next.kind) {
        case (.wheel(let first), .wheel(let second)):
            var both = next
            both.kind = .wheel(lines: first + second)
            return both
        case (.drag(let first), .drag(let second)) where first == second: return next
        case (.move, .move): return next
        default: return nil
        }
    }
}
