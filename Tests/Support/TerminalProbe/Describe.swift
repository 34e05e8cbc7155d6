import TerminalCells

/// Returns an event in the form that tests use: `key Ctrl-a`, `wheel -3 at 4,5`.
func describe(_ event: InputEvent) -> String {
    switch event {
    case .key(let key, let modifiers): "key \(describe(modifiers))\(describe(key))"
    case .paste(let text, _): "paste \(text.debugDescription)"
    case .mouse(let mouse): "\(describe(mouse.modifiers))\(describe(mouse.kind)) at \(mouse.x),\(mouse.y)"
    case .resize(let width, let height): "resize \(width)x\(height)"
    case .focus(let isFocused): "focus \(isFocused)"
    }
}

private func describe(_ key: Key) -> String {
    if case .character(let character) = key { String(character) } else { "\(key)" }
}

private func describe(_ kind: MouseEvent.Kind) -> String {
    switch kind {
    case .press(let button): "press \(button)"
    case .release: "release"
    case .drag(let button): "drag \(button)"
    case .move: "move"
    case .wheel(let lines): "wheel \(lines)"
    }
}

private func describe(_ modifiers: Modifiers) -> String {
    (modifiers.contains(.control) ? "Ctrl-" : "") + (modifiers.contains(.alt) ? "Alt-" : "")
        + (modifiers.contains(.shift) ? "Shift-" : "")
}
