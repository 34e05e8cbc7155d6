import Foundation
import TerminalCells

// Records a program in a terminal: terminal-cast SCRIPT CAST SVG. The script's steps are in CastScript.

let arguments = CommandLine.arguments
guard arguments.count == 4 else {
    try? FileHandle.standardError.write(
        contentsOf: Data("usage: terminal-cast SCRIPT RECORDING.cast PICTURE.svg\n".utf8))
    exit(2)
}
do {
    let script = try CastScript(String(contentsOfFile: arguments[1], encoding: .utf8))
    let title = URL(filePath: arguments[1]).deletingPathExtension().lastPathComponent
    let stage = try Stage(script, title: title)
    defer { stage.close() }
    var still: String?
    for step in script.steps { still = try stage.perform(step) ?? still }
    let screen = try still ?? stage.screen()
    let picture = Picture(grid: StyledText.grid(screen, width: script.size.width, height: script.size.height))
    try picture.svg.write(toFile: arguments[3], atomically: true, encoding: .utf8)
    let lines = stage.cast.lines
    try (lines.joined(separator: "\n") + "\n").write(toFile: arguments[2], atomically: true, encoding: .utf8)
    print("\(arguments[2]): \(lines.count - 1) pieces of output. \(arguments[3]): the picture.")
} catch {
    try? FileHandle.standardError.write(contentsOf: Data("terminal-cast: \(error)\n".utf8))
    exit(1)
}
