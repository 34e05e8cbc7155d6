import CNcurses
import Dispatch
import Foundation

extension EventLoop {
    /// Has the user edit a text in another program, which gets the terminal until it ends. The loop goes on meanwhile:
    /// work of the main queue and due frames run, but nothing is shown and no key is read.
    ///
    /// - Parameter done: called on the main thread with the text as the editor left it, without the line end that editors
    ///   add, or with the reason why there is none. It is not called if the loop ends before the editor does.
    public func edit(
        _ text: String, in editor: TextEditor, done: @escaping (Result<String, EditorError>) -> Void
    ) {
        do throws(EditorError) {
            guard !isLent else { throw EditorError(.busy, "The editor is open.") }
            let path = try editor.makeFile(text)
            lend()
            do throws(EditorError) {
                let process = try editor.start(on: path)
                borrower = process
                wait(for: process) { status in
                    self.takeBack()
                    let result = Result { () throws(EditorError) in try editor.text(of: path, end: status) }
                    if case .failure(let error) = result, error.keepsFile {} else { unlink(path) }
                    done(result)
                }
            } catch {
                unlink(path)
                takeBack()
                throw error
            }
        } catch {
            done(.failure(error))
        }
    }

    func lend() {
        removeImage()
        awaitAnswers()
        screen.device.leave()
        isLent = true
        // Ctrl-\ in the editor is the editor's.
        var ignored = sigaction()
        ignored.__sigaction_handler.sa_handler = SIG_IGN
        sigaction(SIGQUIT, &ignored, &quitAction)
    }

    func takeBack() {
        isLent = false
        borrower = nil
        sigaction(SIGQUIT, &quitAction, nil)
        // Signals that were meant for the editor.
        while let number = signals.next() {
            if number == SIGTERM || number == SIGHUP { end = end ?? .signal(number) }
        }
        screen.enterAgain()
        redraw()
        mustFit = true
    }

    /// Ends the program that has the terminal, because this process ends.
    func endBorrower() {
        if let borrower { kill(borrower, SIGTERM) }
    }

    /// Calls `done` on the main thread when the process has ended. If it stops, so does this process, for the shell knows
    /// only this one.
    func wait(for process: pid_t, done: @escaping @MainActor (Int32) -> Void) {
        Thread.detachNewThread {
            var status: Int32 = 0
            while true {
                let result = waitpid(process, &status, WUNTRACED)
                if result < 0, errno == EINTR { continue }
                let isStopped = result == process && status & 0xFF == 0x7F
                guard isStopped else { break }
                DispatchQueue.main.sync {
                    yap_stop(false)
                    kill(process, SIGCONT)
                }
            }
            let ended = status
            DispatchQueue.main.async { MainActor.assumeIsolated { done(ended) } }
        }
    }
}
