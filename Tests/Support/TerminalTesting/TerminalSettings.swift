import Foundation

/// All values that `stty -a` shows, for comparison.
public struct TerminalSettings: Hashable, Sendable, CustomStringConvertible {
    private let flags: [UInt32]
    private let characters: [UInt8]

    init(of descriptor: Int32) {
        var settings = termios()
        tcgetattr(descriptor, &settings)
        flags = [settings.c_iflag, settings.c_oflag, settings.c_cflag, settings.c_lflag]
        characters = withUnsafeBytes(of: &settings.c_cc) { Array($0) }
    }

    public var description: String {
        flags.map { String($0, radix: 16) }.joined(separator: ":") + " \(characters)"
    }
}
