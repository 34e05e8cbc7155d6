import CNcurses
import Foundation
import TerminalCells

extension EventLoop {
    func handleSignals(_ handlers: Handlers) {
        while let number = signals.next() {
            switch number {
            // Another program handles them; the size is read when it ends.
            case _ where isLent && number != SIGTERM && number != SIGHUP: break
            case SIGWINCH: followSize(handlers)
            case SIGTSTP: pause(handlers, group: false)
            case SIGCONT: comeBack(handlers)
            default: end = end ?? .signal(number)
            }
        }
    }

    /// Gives the terminal back to the shell and stops the process. Returns when the shell continues it.
    func pause(_ handlers: Handlers, group: Bool) {
        screen.device.leave()
        yap_stop(group)
        comeBack(handlers)
    }

    /// Restores the screen; another program may have used the terminal meanwhile, at another size.
    private func comeBack(_ handlers: Handlers) {
        screen.enterAgain()
        followSize(handlers)
        mustDraw = true
    }

    func followSize(_ handlers: Handlers) {
        guard screen.fit() else { return }
        mustDraw = true
        handlers.onEvent(.resize(width: screen.size.width, height: screen.size.height))
    }
}
