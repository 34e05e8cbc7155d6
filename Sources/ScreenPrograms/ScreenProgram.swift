import TerminalCells
import TerminalScreen

/// A program that fills the terminal: its state is a value, events change it, and a frame is drawn from it.
///
/// It knows no terminal. ``update(_:)`` gives it an event and returns what it wants done outside;
/// `EventLoop.run` does that.
@MainActor public protocol ScreenProgram: AnyObject {
    /// The type of the program's state, a value.
    associatedtype State: ProgramState
    /// The present state, from which frames are drawn.
    var state: State { get set }
    /// Handles a key, a click or a new size: changes the state, the tables and the database, and may ask for effects with
    /// ``ScreenState/request(_:)``.
    func handle(_ event: InputEvent)
    /// Redraws the tables in the program's theme, which has changed.
    func showTheme()
    /// Does what is due by the time of the next frame, ``ScreenState/lastDrawn``.
    func prepareFrame()
    /// When something is due that no event announces: the next frame of an animation, for example. In seconds of the
    /// loop's clock.
    var nextTime: Double? { get }
    /// Handles what came of ``ScreenEffect/edit(_:)``: the edited text, or why there is none. Without an implementation a
    /// failure is shown.
    func handleEdited(_ result: Result<String, EditorError>)
    /// Draws the state for the time of the last ``ScreenEvent/frame(at:)``.
    func draw() -> Grid
}

/// The state of a screen program.
public protocol ProgramState {
    /// What it has in common with those of other programs.
    var screen: ScreenState { get set }
}

/// What a screen program reacts to.
public enum ScreenEvent: Hashable, Sendable {
    /// A key, a click, a paste or a new size.
    case input(InputEvent)
    /// The terminal has reported its background: choose colours again.
    case background(Theme.Background)
    /// A frame for this time is drawn next: do what is due by then.
    case frame(at: Double)
    /// What a ``ScreenEffect`` came to.
    case message(ScreenMessage)
    /// The user's editor has ended: the text that it left, or why there is none.
    case edited(Result<String, EditorError>)
}

/// What a screen program wants done outside of it.
public enum ScreenEffect: Hashable, Sendable {
    /// Ends the program's loop.
    case quit
    /// Switches between clicks for the program and the terminal's own selection of text.
    case toggleMouse
    /// Puts text on the terminal's clipboard. `notice` tells the user so.
    case copy(String, notice: String)
    /// Puts bytes on it as they are.
    case copyBytes([UInt8], notice: String)
    /// Rings the terminal's bell.
    case bell
    /// Sets the title of the terminal's window, or restores the one before.
    case title(String?)
    /// Has the terminal notify the user, if it can.
    case notify(title: String, body: String)
    /// Opens a text in the user's editor; ``ScreenEvent/edited(_:)`` brings it back.
    case edit(String)
    /// Has another program show a file; a failure becomes a ``ScreenEvent/message(_:)``.
    case open(String, in: OutsideProgram)
    /// Shows the image in a file in some cells of the terminal, if it can; else a message with these words and the reason.
    case showImage(String, in: Rect?, words: String)
}

/// What does the effects of a screen program: a terminal's loop, or a test.
@MainActor public protocol ScreenHost {
    /// Ends the program's loop.
    func quit()
    /// Switches the mouse and returns whether it is on.
    func toggleMouse() -> Bool
    /// Puts text on the clipboard. Throws if the text is too long.
    /// - Throws: ``TerminalError`` with code `tooLong` if a terminal does not take so much text.
    func copy(_ text: String) throws
    /// Puts bytes on the clipboard as they are; a host that cannot puts them there as text.
    /// - Throws: as ``copy(_:)``.
    func copy(bytes: [UInt8]) throws
    /// Rings the bell; a host without one does nothing.
    func ringBell()
    /// Sets the window's title, nil for the one before; a host without one does nothing.
    func setTitle(_ title: String?)
    /// Notifies the user; a host that cannot does nothing.
    /// - Parameters:
    ///   - title: the first line.
    ///   - body: the text below it.
    func notify(title: String, body: String)
    /// Opens a text in the user's editor and passes on what came of it; a host without one does nothing.
    /// - Parameters:
    ///   - text: the text to edit.
    ///   - done: receives the edited text, or why there is none, on the main actor.
    func edit(_ text: String, done: @escaping (Result<String, EditorError>) -> Void)
    /// Has another program show a file; a host without a terminal does nothing.
    /// - Parameters:
    ///   - path: the file.
    ///   - program: the program and its arguments.
    ///   - done: receives nil when the program has the file, or why it is not shown, on the main actor.
    func open(_ path: String, in program: OutsideProgram, done: @escaping (EditorError?) -> Void)
    /// Shows an image in the terminal until a key is pressed; a host without a terminal does nothing.
    /// - Parameters:
    ///   - path: the file of the image.
    ///   - area: the cells for it; nil for the whole screen.
    ///   - done: receives nil when it is shown, or why it is not shown, on the main actor.
    func showImage(_ path: String, in area: Rect?, done: @escaping (EditorError?) -> Void)
}

extension ScreenHost {
    public func copy(bytes: [UInt8]) throws { try copy(String(decoding: bytes, as: UTF8.self)) }
    public func ringBell() {}
    public func setTitle(_ title: String?) {}
    public func notify(title: String, body: String) {}
    public func edit(_ text: String, done: @escaping (Result<String, EditorError>) -> Void) {}
    public func open(_ path: String, in program: OutsideProgram, done: @escaping (EditorError?) -> Void) {}
    public func showImage(_ path: String, in area: Rect?, done: @escaping (EditorError?) -> Void) {}
}

extension ScreenProgram {
    /// Handles an event and returns what is to be done outside.
    public func update(_ event: ScreenEvent) -> [ScreenEffect] {
        switch event {
        case .input(let input): handle(input)
        case .background(let background):
            state.screen.theme.background = background
            showTheme()
        case .frame(let time):
            state.screen.beginFrame(at: time)
            prepareFrame()
        case .message(let message):
            state.screen.message = message
            // What an effect came to may be known long after the key that asked for it.
            state.screen.redraw()
        case .edited(let result): handleEdited(result)
        }
        return state.screen.removeEffects()
    }

    /// Shows why an editor gave no text.
    public func handleEdited(_ result: Result<String, EditorError>) {
        if case .failure(let error) = result { show(failure: "\(error)") }
    }

    /// When the next frame is due; a time in the past for at once, nil for never.
    public var nextFrame: Double? { state.screen.needsFrame ? -.infinity : nextTime }

    /// Shows a sentence until the next key.
    public func show(notice: String) { state.screen.message = .notice(notice) }

    /// Shows at once what went wrong, until the next key.
    public func show(failure: String) {
        state.screen.message = .failure(failure)
        state.screen.redraw()
    }

    /// The colours and symbols of the screen.
    public var theme: Theme { state.screen.theme }
    /// Columns and lines of the screen.
    public var size: (width: Int, height: Int) { state.screen.size }
}

extension ScreenHost {
    /// Gives a program an event, does what it wants, and tells it how that went.
    /// - Parameters:
    ///   - event: what happened.
    ///   - program: the program that reacts.
    public func pass(_ event: ScreenEvent, to program: some ScreenProgram) {
        for effect in program.update(event) {
            switch effect {
            case .quit: quit()
            case .toggleMouse:
                let isOn = toggleMouse()
                let text = isOn ? "The mouse is on." : "The mouse is off: the terminal selects text."
                pass(.message(.notice(text)), to: program)
            case .bell: ringBell()
            case .title(let title): setTitle(title)
            case .notify(let title, let body): notify(title: title, body: body)
            case .edit(let text):
                edit(text) { [weak program] result in
                    if let program { self.pass(.edited(result), to: program) }
                }
            case .open(let path, let outside):
                open(path, in: outside) { [weak program] error in
                    if let program, let error { self.pass(.message(.failure(sentence(ofSystem: error))), to: program) }
                }
            case .showImage(let path, let area, let words):
                showImage(path, in: area) { [weak program] error in
                    if let program, let error { self.pass(.message(.notice("\(words): \(error)")), to: program) }
                }
            case .copy(let text, let notice): tell(program, notice) { try copy(text) }
            case .copyBytes(let bytes, let notice): tell(program, notice) { try copy(bytes: bytes) }
            }
        }
    }

    /// Tells a program how copying went.
    private func tell(_ program: some ScreenProgram, _ notice: String, _ body: () throws -> Void) {
        do {
            try body()
            pass(.message(.notice(notice)), to: program)
        } catch {
            pass(.message(.failure(sentence(ofSystem: error))), to: program)
        }
    }

    /// Returns the program's frame for a time.
    /// - Parameters:
    ///   - program: the program to draw.
    ///   - time: seconds of the loop's clock.
    public func frame(of program: some ScreenProgram, at time: Double) -> Grid {
        pass(.frame(at: time), to: program)
        return program.draw()
    }
}

extension EventLoop: ScreenHost {
    /// Ends `EventLoop.run`.
    public func quit() { stop() }

    public func toggleMouse() -> Bool {
        screen.isMouseEnabled.toggle()
        return screen.isMouseEnabled
    }

    public func copy(_ text: String) throws { try screen.copy(text) }

    public func copy(bytes: [UInt8]) throws { try screen.copy(bytes: bytes) }

    public func ringBell() { screen.ringBell() }

    public func setTitle(_ title: String?) { screen.title = title }

    public func notify(title: String, body: String) { screen.notify(title: title, body: body) }

    public func edit(_ text: String, done: @escaping (Result<String, EditorError>) -> Void) {
        edit(text, in: TextEditor(), done: done)
    }

    /// Runs a program until it quits or a signal ends the process, and returns which. The screen stays open.
    public func run(_ program: some ScreenProgram) -> LoopEnd {
        run(
            Handlers(
                onEvent: { self.pass(.input($0), to: program) },
                onBackground: { self.pass(.background($0), to: program) }, nextFrame: { program.nextFrame },
                draw: { self.frame(of: program, at: $0) }))
    }
}
