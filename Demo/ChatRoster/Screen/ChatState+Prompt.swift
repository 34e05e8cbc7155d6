import LiveTable

extension ChatState {
    /// A key while words are asked for at the bottom.
    mutating func updatePrompt(_ event: InputEvent) -> Request? {
        switch prompt {
        case .goTo(var goTo):
            defer { if prompt != nil { prompt = .goTo(goTo) } }
            return update(&goTo, event)
        case .react(var choice):
            defer { if prompt != nil { prompt = .react(choice) } }
            return update(&choice, event)
        case .paste(let paste):
            switch event {
            case .key(.enter, _):
                prompt = nil
                composer.replaceText("")
                return .sendParts(paste.parts)
            case .key(.character("f"), []): return .storePaste(paste)
            case .key(.escape, _), .key(.character("c"), .control): prompt = nil
            default: break
            }
            return nil
        case .search(var line):
            defer { if prompt != nil { prompt = .search(line) } }
            return update(&line, event)
        case nil: return nil
        }
    }

    private mutating func update(_ goTo: inout GoTo, _ event: InputEvent) -> Request? {
        switch event {
        case .key(.down, _), .key(.tab, []), .key(.character("n"), .control), .key(.character("k"), .control):
            goTo.move(by: 1)
            return nil
        case .key(.up, _), .key(.tab, .shift), .key(.character("p"), .control):
            goTo.move(by: -1)
            return nil
        case .key(.character("c"), .control):
            prompt = nil
            return nil
        default: break
        }
        // Enter empties the line.
        let choice = goTo.choice
        switch goTo.line.handle(event) {
        case .typed: goTo.typed()
        case .cancelled: prompt = nil
        case .accepted(let text):
            prompt = nil
            if let choice { return choice.isNew ? .command(.join(choice.title)) : .open(choice.conversation) }
            if text.trimmed.isEmpty { return nil }
            return .command(text.hasPrefix("#") || goTo.isForRooms ? .join(text) : .to(text))
        case nil: break
        }
        return nil
    }

    private mutating func update(_ choice: inout EmojiChoice, _ event: InputEvent) -> Request? {
        switch event {
        case .key(.down, _), .key(.tab, []), .key(.character("n"), .control): choice.move(by: 1)
        case .key(.up, _), .key(.tab, .shift), .key(.character("p"), .control): choice.move(by: -1)
        case .key(.character("c"), .control): prompt = nil
        default:
            // Enter empties the line.
            let (emoji, typed) = (choice.choice, choice.line.field.text)
            switch choice.line.handle(event) {
            case .typed: choice.typed()
            case .cancelled: prompt = nil
            case .accepted:
                prompt = nil
                if let emoji { return .message(.react(emoji)) }
                screen.message = .failure("There is no emoji \"\(typed)\".")
            case nil: break
            }
        }
        return nil
    }

    private mutating func update(_ line: inout PromptLine<SearchQuestion>, _ event: InputEvent) -> Request? {
        switch event {
        case .key(.down, _), .key(.tab, []), .key(.character("n"), .control): return .moveFound(1)
        case .key(.character("r"), .control): return .moveFound(1)
        case .key(.up, _), .key(.tab, .shift), .key(.character("p"), .control): return .moveFound(-1)
        case .key(.pageDown, _): return .moveFound(5)
        case .key(.pageUp, _): return .moveFound(-5)
        case .key(.character("c"), .control):
            prompt = nil
            return .endSearch
        default: break
        }
        switch line.handle(event) {
        case .typed(let words): return .search(words)
        case .accepted: return .openFound
        case .cancelled:
            prompt = nil
            return .endSearch
        case nil: return nil
        }
    }

    /// The words of the search on the screen; nil while there is none.
    var searched: String? {
        if case .search(let line) = prompt { line.field.text } else { nil }
    }
}
