import LiveTable
import Testing

/// What all screens have in common, as values.
@Suite @MainActor struct ScreenStateTests {
    private struct Refused: Error, CustomStringConvertible { let description = "Too long." }

    /// A program that has nothing but the common state.
    private final class Program: ScreenProgram {
        struct State: ProgramState { var screen = ScreenState(size: (20, 4), theme: Theme()) }

        var state = State()
        private(set) var drawn: [Double] = []
        var nextTime: Double? { 7 }

        func handle(_ event: InputEvent) {
            switch event {
            case .key(.character("y"), _): state.screen.request(.copy("text", notice: "Copied."))
            case .key(.character("m"), _): state.screen.request(.toggleMouse)
            case .key(.character("n"), _):
                for effect in [ScreenEffect.bell, .title("3 unread"), .notify(title: "bob", body: "hi")] {
                    state.screen.request(effect)
                }
            case .key(.character("e"), _): state.screen.request(.edit("draft"))
            default: break
            }
        }

        var edited: Result<String, EditorError>?
        func handleEdited(_ result: Result<String, EditorError>) { edited = result }
        func showTheme() {}
        func prepareFrame() { drawn.append(state.screen.lastDrawn) }
        func draw() -> Grid { Grid(width: 20, height: 4) }
    }

    private final class Host: ScreenHost {
        var copied: [String] = []
        var refuses = false
        var quits = 0

        func quit() { quits += 1 }
        func toggleMouse() -> Bool { false }
        func copy(_ text: String) throws {
            if refuses { throw Refused() }
            copied.append(text)
        }

        var told: [String] = []
        func ringBell() { told.append("bell") }
        func setTitle(_ title: String?) { told.append("title \(title ?? "nil")") }
        func notify(title: String, body: String) { told.append("\(title): \(body)") }
        func edit(_ text: String, done: @escaping (Result<String, EditorError>) -> Void) {
            done(refuses ? .failure(EditorError(.failed, "No.")) : .success(text + "ed"))
        }
    }

    @Test func aProgramIsToldWhatItsEffectsCameTo() {
        let (program, host) = (Program(), Host())
        host.pass(.input(.key(.character("y"))), to: program)
        #expect(host.copied == ["text"] && program.state.screen.message == .notice("Copied."))
        host.refuses = true
        host.pass(.input(.key(.character("y"))), to: program)
        #expect(program.state.screen.message == .failure("Too long."))
        host.pass(.input(.key(.character("m"))), to: program)
        #expect(program.state.screen.message?.text.hasPrefix("The mouse is off") == true)
    }

    @Test func theUserIsToldAndEditsOutside() {
        let (program, host) = (Program(), Host())
        host.pass(.input(.key(.character("n"))), to: program)
        #expect(host.told == ["bell", "title 3 unread", "bob: hi"])
        host.pass(.input(.key(.character("e"))), to: program)
        #expect(program.edited == .success("drafted"))
        host.refuses = true
        host.pass(.input(.key(.character("e"))), to: program)
        #expect(program.edited == .failure(EditorError(.failed, "No.")))
    }

    @Test func whatIsAskedForBetweenEventsHappensWithTheNextFrame() {
        let (program, host) = (Program(), Host())
        _ = host.frame(of: program, at: 3)
        #expect(program.nextFrame == 7 && program.state.screen.lastDrawn == 3)
        program.state.screen.request(.quit)
        #expect(program.nextFrame == -.infinity && host.quits == 0)
        _ = host.frame(of: program, at: 4)
        #expect(host.quits == 1 && program.nextFrame == 7 && program.drawn == [3, 4])
    }

    @Test func theLastMessageCanBeOpened() {
        var screen = ScreenState(size: (40, 10), theme: Theme())
        let help: (Theme) -> Overlay = { _ in Overlay("Keys", []) }
        let isPerformed = screen.perform(.message, help: help)
        #expect(isPerformed && screen.text == nil && screen.message == .notice("There was no message so far."))
        screen.message = .failure("The disk is full.")
        screen.message = nil
        _ = screen.perform(.message, help: help)
        #expect(screen.text?.lines.map(\.text) == ["The disk is full."])
        screen.handleOverText(.escape, [], .unknown)
        #expect(screen.text == nil && screen.lastMessage?.isFailure == true)
        let isCopied = screen.perform(.copy, help: help)
        #expect(!isCopied)
    }

    /// A key that is no key of the text does nothing: what is typed behind it would be commands for what the text covers.
    @Test func aTextIsScrolledByTheKeysOfATableAndClosedByFew() {
        var screen = ScreenState(size: (20, 6), theme: Theme())
        screen.text = Overlay("Keys", (0..<20).map { Line(text: "line \($0)") })
        screen.handleOverText(.character("j"), [], .action(.next, count: 3))
        screen.handleOverText(.character("g"), [], .pending)
        screen.handleOverText(MouseEvent(.wheel(lines: 2), x: 0, y: 0))
        #expect(screen.text?.offset == 5)
        screen.handleOverText(.character(" "), [], .action("fold", count: nil))
        screen.handleOverText(.character("y"), [], .action(.copy, count: nil))
        screen.handleOverText(.character("ä"), [], .unknown)
        #expect(screen.text?.offset == 8 && screen.effects.isEmpty)
        let closing: [(Key, Action)] = [
            (.escape, .cancel), (.enter, "open"), (.character("q"), .quit), (.character("?"), .help),
            (.function(1), .help),
        ]
        for (key, action) in closing {
            screen.text = Overlay("Keys", (0..<20).map { Line(text: "line \($0)") })
            screen.handleOverText(key, [], .action(action, count: nil))
            #expect(screen.text == nil && screen.effects.isEmpty)
        }
        screen.text = Overlay("Keys", [])
        screen.handleOverText(.character("c"), .control, .action(.quit, count: nil))
        #expect(screen.effects == [.quit])
        screen.handleOverText(.character(" "), [], .unknown)
        #expect(screen.text == nil)
    }

    /// While it is typed, every key is part of what is searched for.
    @Test func aLineOfATextIsFound() {
        var screen = ScreenState(size: (20, 6), theme: Theme())
        screen.text = Overlay("Keys", (0..<20).map { Line(text: $0 % 8 == 7 ? "n \($0)" : "x") })
        func isTyped(_ key: Key) -> Bool { screen.typeOverText(.key(key)) }
        let before = isTyped(.character("n"))
        screen.handleOverText(.character("/"), [], .unknown)
        let typed = [Key.character("n"), .character("q"), .backspace, .enter].map(isTyped)
        let after = isTyped(.character("n"))
        #expect(!before && !typed.contains(false) && !after && screen.text?.offset == 5)
        screen.handleOverText(.character("n"), [], .pending)
        #expect(screen.text?.offset == 13)
        screen.handleOverText(.character("p"), [], .action(.searchPrevious, count: nil))
        #expect(screen.text?.offset == 5)
        screen.handleOverText(.escape, [], .unknown)
        #expect(screen.text == nil)
    }
}
