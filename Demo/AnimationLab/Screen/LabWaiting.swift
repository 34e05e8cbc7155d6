import LiveTable

/// A commit under way and the keys that wait for its result.
///
/// A commit may wait for other programs that hold the file, so it runs in the background while the screen continues.
/// Keys typed meanwhile wait; if it takes long, keys that do not change the session are handled at once.
struct LabWaiting {
    /// Seconds after which a pending commit is reported.
    private static let patience = 0.3
    private static let maxKeys = 1000

    let start: Double
    private(set) var keys: [InputEvent] = []
    var hasForeignCommit = false

    init(start: Double) { self.start = start }

    mutating func wait(_ event: InputEvent) { if keys.count < Self.maxKeys { keys.append(event) } }

    func isSlow(at now: Double) -> Bool { now >= momentToTell }

    /// When to report that the work takes long.
    var momentToTell: Double { start + Self.patience }

    /// The status text; empty while the work does not take long.
    func text(at now: Double) -> String {
        guard isSlow(at: now) else { return "" }
        return keys.isEmpty ? "writing   " : "writing, \(keys.count) keys wait   "
    }
}

extension LabState {
    /// Whether an event must wait for the work under way; it is then kept.
    mutating func mustWait(_ event: InputEvent, at now: Double) -> Bool {
        guard let work else { return false }
        switch event {
        case .resize, .focus: return false
        case .mouse(let mouse):
            if case .press = mouse.kind, isCovered || !tableArea.contains(x: mouse.x, y: mouse.y) { break }
            return false
        case .key(.character("c"), .control): return false
        case .key(let key, let modifiers) where work.keys.isEmpty && !isCovered && prompt == nil:
            var reader = focus == .list ? strokes : settingStrokes
            guard case .action(let action, let count) = reader.read(key, modifiers) else { break }
            if action == .quit { return false }
            let isHarmless = focus == .list && TableCommand(action, count: count) != nil
            if work.isSlow(at: now), isHarmless || Self.harmless.contains(action) { return false }
        case .key, .paste: break
        }
        self.work?.wait(event)
        return true
    }

    /// Actions that neither change the session nor need it to be at rest.
    private static let harmless: Set<Action> = [
        .slower, .faster, .pause, .frame, .motion, .toggleMouse, .focusNext, .cancel, .nextSetting, .previousSetting,
    ]
}
