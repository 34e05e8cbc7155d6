import CNcurses
import Foundation

extension EventLoop {
    /// Has another program show a file. If it takes the terminal, the loop goes on meanwhile, but nothing is shown and no key is read.
    ///
    /// - Parameters:
    ///   - path: the file.
    ///   - program: the program and its arguments.
    ///   - done: called on the main thread: with nil when the program has the file and this one the terminal, or with the reason why
    ///     the file is not shown. It is not called if the loop ends before a program that has the terminal.
    public func open(_ path: String, in program: OutsideProgram, done: @escaping (EditorError?) -> Void) {
        do throws(EditorError) {
            guard !isLent else { throw EditorError(.busy, "Another program has the terminal.") }
            guard program.takesTerminal else {
                let process = try program.start(on: path)
                // Nothing else asks how it ended.
                Thread.detachNewThread {
                    var status: Int32 = 0
                    while waitpid(process, &status, 0) < 0, errno == EINTR {}
                }
                return done(nil)
            }
            lend()
            do throws(EditorError) {
                let process = try program.start(on: path)
                borrower = process
                wait(for: process) { status in
                    self.takeBack()
                    let isGood = status & 0x7F == 0 && status >> 8 & 0xFF == 0
                    done(isGood ? nil : EditorError(.failed, "\(program.words[0]) ended with a failure."))
                }
            } catch {
                takeBack()
                throw error
            }
        } catch {
            done(error)
        }
    }
}
