import LiveTable

extension Action {
    static let send: Action = "send"
    static let editLast: Action = "edit-last"
    static let nextConversation: Action = "next-conversation"
    static let previousConversation: Action = "previous-conversation"
    static let nextUnread: Action = "next-unread"
    static let goTo: Action = "go-to"
    static let retry: Action = "retry"
    static let takeBack: Action = "take-back"
    static let edit: Action = "edit"
    static let delete: Action = "delete"
    static let undo: Action = "undo"
    static let reply: Action = "reply"
    static let who: Action = "who"
    static let copyInvitation: Action = "copy-invitation"
    static let react: Action = "react"
    static let unfold: Action = "unfold"
    static let write: Action = "write"
    static let firstUnread: Action = "first-unread"
    static let lastMention: Action = "last-mention"
    static let toEnd: Action = "to-end"
}

/// The key bindings of the chat.
public struct ChatKeys: Hashable, Sendable {
    /// The keys in the lists.
    let lists: KeyMap
    /// The keys while a message is being written; every other key goes to the text.
    let writing: KeyMap

    private static let earlierNames: [Action: Action] = ["copyInvitation": .copyInvitation]

    /// The default bindings, without the user's configuration.
    public static let standard = ChatKeys(lists: inLists, writing: whileWriting)

    /// Applies the user's configuration.
    /// - Throws: the actions in it that the chat does not have.
    init(_ config: KeyConfig) throws(KeyConfigError) {
        let maps = try config.applied(to: Self.standard.maps, of: "chat", earlierNames: Self.earlierNames)
        self.init(lists: maps[0], writing: maps[1])
    }

    private init(lists: KeyMap, writing: KeyMap) {
        self.lists = lists
        self.writing = writing
    }

    /// The maps, that of the lists first.
    public var maps: [KeyMap] { [lists, writing] }

    /// Keys that no map has.
    private static let more = [
        ("Alt-1 to Alt-9", "the conversation that has the number beside its name"), ("Alt-Enter", "a new line"),
        ("Ctrl-X Ctrl-E", "the text in your editor"), ("Ctrl-_", "undo a change of the text"),
    ]

    func help(_ theme: Theme) -> Overlay {
        let heading = Style(.terminal, on: .terminal, .bold)
        let commands = ChatCommand.all.map { command in
            let form = "/\(command.name)" + (command.argument.isEmpty ? "" : " \(command.argument)")
            return [Run(TextMeasure(theme.unicode).padded(form, to: 18), Style(theme.accent)), Run(" " + command.help)]
        }
        return Overlay(
            "Keys",
            [Line(text: "While you write", heading)] + writing.helpLines(theme: theme)
                + Self.more.map { [Run($0.0, Style(theme.accent)), Run("   \($0.1)")] } + [[]]
                + [Line(text: "In the lists", heading)] + lists.helpLines(theme: theme) + [[]]
                + [Line(text: "Commands", heading)] + commands)
    }
}

extension ChatKeys {
    private static let inLists = KeyMap([
        .init(.write, ["enter", "i"], "write to the selected conversation", hint: "write"),
        .init(.reply, ["r"], "answer the selected message", hint: "reply"),
        .init(.react, ["+"], "react to the selected message; again: take it back", hint: "react"),
        .init(.who, ["w"], "who has read the selected message, and who reacted", hint: "who read it"),
        .init(.edit, ["e"], "edit a message of your own", hint: "edit"),
        .init(.delete, ["d", "delete"], "delete the selected message", hint: "delete"),
        .init(.undo, ["u"], "bring back what you have just deleted", hint: "undo"),
        .init(.copy, ["y"], "copy the selected message", hint: "copy"),
        .init(.unfold, ["o"], "open or fold a long message", hint: "open"),
        .init(.search, ["/", "ctrl-r"], "search all conversations", hint: "search"),
        .init(.goTo, ["ctrl-k"], "go to a conversation by a few letters", hint: "go to"),
        .init(.nextUnread, ["alt-a"], "the next conversation with something unread"),
        .init(.nextConversation, ["alt-down"], "the next conversation"),
        .init(.previousConversation, ["alt-up"], "the conversation before"),
        .init(.firstUnread, ["n"], "the first unread message"),
        .init(.lastMention, ["m"], "the last message that names you"),
        .init(.retry, ["alt-r"], "send again what was not sent"),
        .init(.takeBack, ["alt-x"], "take what was not sent back into the line"),
        .init(.focusNext, ["tab"], "next pane", hint: "next pane"),
        .init(.focusPrevious, ["shift-tab"], "previous pane"),
        .init(.copyInvitation, ["alt-c"], "copy the command with which another person comes in"),
        .init(.toggleMouse, ["alt-m"], "switch the mouse off and on"),
        .init(.cancel, ["esc"], "back to writing"),
        .init(.message, ["!"], "the last error in full, and how it stands with the server"),
        .init(.help, ["?", "f1"], "all keys", hint: "help"),
        .init(.quit, ["q", "ctrl-c"], "quit", hint: "quit"),
    ]).merging(.table)

    private static let whileWriting = KeyMap(
        [
            .init(.send, ["enter"], "send the message", hint: "send"),
            .init(.help, ["f1"], "all keys", hint: "help"),
            .init(.quit, ["ctrl-c"], "clear the line; on an empty line: quit", hint: "quit"),
            .init(.editLast, ["up"], "on an empty line: edit your last message", hint: "edit last"),
            .init(.search, ["ctrl-r"], "search all conversations; again: the next match", hint: "search"),
            .init(.goTo, ["ctrl-k"], "go to a conversation by a few letters", hint: "go to"),
            .init(.nextUnread, ["alt-a"], "the next conversation with something unread", hint: "next unread"),
            .init(.nextConversation, ["alt-down"], "the next conversation", hint: "next"),
            .init(.previousConversation, ["alt-up"], "the conversation before"),
            .init(.pageUp, ["pgup"], "look back"),
            .init(.pageDown, ["pgdn"], "look forward"),
            .init(.toEnd, ["alt-g"], "to the newest message"),
            .init(.firstUnread, ["alt-n"], "to the first unread message"),
            .init(.lastMention, ["alt-l"], "to the last message that names you"),
            .init(.retry, ["alt-r"], "send again what was not sent"),
            .init(.takeBack, ["alt-x"], "take what was not sent back into the line"),
            .init(.undo, ["alt-u"], "bring back what you have just deleted"),
            .init(
                .focusNext, ["tab"], "complete a name, an emoji or a command; on an empty line: next pane",
                hint: "roster, messages"),
            .init(.focusPrevious, ["shift-tab"], "previous pane"),
            .init(.copyInvitation, ["alt-c"], "copy the command with which another person comes in"),
            .init(.toggleMouse, ["alt-m"], "switch the mouse off and on"),
            .init(.cancel, ["esc"], "give up editing or answering", hint: "cancel"),
            .init(.message, ["alt-e"], "the last error in full, and how it stands with the server"),
        ], isForTyping: true)
}
