import Dispatch
import Foundation
import TerminalCells
import TerminalScreen

// A program that tests run in a terminal. It writes each event as a line to the file named by its first argument and
// shows the last events. Further arguments: `nomouse`, `busy` for four working threads, `work` for
// work that the screen waits for, `patient` for a minute's patience with the terminal's answers, a scene.

Terminal.blockSignals()
let arguments = CommandLine.arguments
guard arguments.count > 1, let log = FileHandle(forWritingAtPath: arguments[1]) else {
    print("usage: terminal-probe LOG [nomouse] [busy] [work] [patient] [rows | list | text=FILE | random=SEED]")
    exit(2)
}
if arguments.contains("busy") {
    for _ in 0..<4 {
        Thread.detachNewThread {
            // Lets the other tests run first.
            setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, 19)
            while true { _ = (0..<1000).reduce(0, &+) }
        }
    }
}
do {
    let scene = try Scene(arguments: arguments)
    let probe = try Probe(
        log: log, mouse: !arguments.contains("nomouse"), scene: scene, hasList: arguments.contains("list"))
    if arguments.contains("patient") { probe.waitForAnswers() }
    if arguments.contains("work") { try probe.waitForWork() }
    let end = try probe.run()
    probe.screen.close()
    exit(end.exitCode)
} catch let error as TerminalError {
    print(error)
    exit(1)
}
