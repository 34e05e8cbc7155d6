import LiveTable

extension Action {
    static let send: Action = "send"
    static let editLast: Action = "edit-last"
    static let nextBuddy: Action = "next-buddy"
    static let previousBuddy: Action = "previous-buddy"
    static let edit: Action = "edit"
    static let delete: Action = "delete"
    static let write: Action = "write"
}

/// The key bindings of the chat.
public struct ChatKeys: Hashable, Sendable {
    /// The keys in the lists.
    let lists: KeyMap
    /// The keys while a message is being written; every other key goes to the line.
    let writing: KeyMap

    /// The default bindings, without the user's configuration.
    public static let standard = ChatKeys(lists: inLists, writing: whileWriting)

    /// Applies the user's configuration.
    /// - Throws: the actions in it that the chat does not have.
    init(_ config: KeyConfig) throws(KeyConfigError) {
        let maps = try config.applied(to: Self.standard.maps, of: "chat")
        self.init(lists: maps[0], writing: maps[1])
    }

    private init(lists: KeyMap, writing: KeyMap) {
        self.lists = lists
        self.writing = writing
    }

    public var maps: [KeyMap] { [lists, writing] }

    func help(_ theme: Theme) -> Overlay {
        let heading = Style(.terminal, on: .terminal, .bold)
        return Overlay(
            "Keys",
            [Line(text: "While you write", heading)] + writing.helpLines(theme: theme) + [[]]
                + [Line(text: "In the lists", heading)] + lists.helpLines(theme: theme))
    }
}

extension ChatKeys {
    private static let inLists = KeyMap([
        .init(.write, ["enter", "i"], "write to the selected buddy", hint: "write"),
        .init(.edit, ["e"], "edit a message of your own", hint: "edit"),
        .init(.delete, ["d", "delete"], "delete the selected message", hint: "delete"),
        .init(.copy, ["y"], "copy the selected message", hint: "copy"),
        .init(.search, ["/"], "search: the roster down, or the conversation up", hint: "search"),
        .init(.searchNext, ["n"], "next match"),
        .init(.searchPrevious, ["N"], "the match before"),
        .init(.focusNext, ["tab"], "next pane", hint: "next pane"),
        .init(.focusPrevious, ["shift-tab"], "previous pane"),
        .init(.toggleMouse, ["alt-m"], "switch the mouse off and on"),
        .init(.cancel, ["esc"], "back to writing"),
        .init(.message, ["!"], "the last error in full"),
        .init(.help, ["?", "f1"], "all keys", hint: "help"),
        .init(.quit, ["q", "ctrl-c"], "quit", hint: "quit"),
    ]).merging(.table)

    private static let whileWriting = KeyMap(
        [
            .init(.send, ["enter"], "send the line", hint: "send"),
            .init(.editLast, ["up"], "on an empty line: edit your last message", hint: "edit last"),
            .init(.search, ["ctrl-r"], "search the conversation upwards", hint: "search"),
            .init(.nextBuddy, ["alt-down"], "next buddy", hint: "next buddy"),
            .init(.previousBuddy, ["alt-up"], "previous buddy"),
            .init(.pageUp, ["pgup"], "look back"),
            .init(.pageDown, ["pgdn"], "look forward"),
            .init(.focusNext, ["tab"], "next pane", hint: "roster"),
            .init(.focusPrevious, ["shift-tab"], "previous pane"),
            .init(.toggleMouse, ["alt-m"], "switch the mouse off and on"),
            .init(.cancel, ["esc"], "give up editing"),
            .init(.message, ["alt-e"], "the last error in full"),
            .init(.help, ["f1"], "all keys", hint: "help"),
            .init(.quit, ["ctrl-c"], "quit", hint: "quit"),
        ], isForTyping: true)
}
