import CNcurses
import Foundation
import TerminalCells

extension OutsideProgram {
    /// What runs: the program with its arguments, then a wait for a key, so that the image can be seen. The file's name is an argument of
    /// it, and no part.
    private static let script = """
        clear; "$@"; echo; stty -icanon -echo 2>/dev/null; dd bs=1 count=1 >/dev/null 2>&1
        """

    /// Creates the program that draws an image in the terminal until a key is pressed.
    ///
    /// - Parameters:
    ///   - features: what the terminal is known to show.
    ///   - size: columns and lines of the terminal.
    ///   - environment: names the folders of programs.
    /// - Throws: ``EditorError`` with code `notStarted` if the terminal shows no images, or no program is installed that makes them.
    init(
        image features: TerminalFeatures, size: (width: Int, height: Int),
        environment: [String: String] = ProcessInfo.processInfo.environment
    ) throws(EditorError) {
        guard features.hasKittyImages || features.hasSixel else {
            throw EditorError(.notStarted, "this terminal shows no images. v opens it in another program.")
        }
        let command: [String]
        if let chafa = Self.path("chafa", environment) {
            command = Self.chafa(chafa, features, (size.width, max(1, size.height - 2)))
        } else if features.hasSixel, let sixel = Self.path("img2sixel", environment) {
            command = [sixel]
        } else {
            throw EditorError(.notStarted, "install chafa to see it here. v opens it in another program.")
        }
        self.init(words: ["/bin/sh", "-c", Self.script, "sh"] + command, takesTerminal: true)
    }

    /// Creates the program that writes the sequences of an image to its standard output.
    ///
    /// - Parameter area: the cells that the image gets.
    /// - Returns: nil if there is no program that keeps to them, or the terminal shows no images.
    init?(
        image features: TerminalFeatures, area: Rect,
        environment: [String: String] = ProcessInfo.processInfo.environment
    ) {
        guard features.hasKittyImages || features.hasSixel, let chafa = Self.path("chafa", environment) else {
            return nil
        }
        self.init(words: Self.chafa(chafa, features, (area.width, area.height)), takesTerminal: false)
    }

    private static func chafa(
        _ path: String, _ features: TerminalFeatures, _ size: (width: Int, height: Int)
    ) -> [String] {
        let format = features.hasKittyImages ? "kitty" : "sixel"
        return [path, "--format", format, "--animate", "off", "--size", "\(size.width)x\(size.height)", "--"]
    }

    private static func path(_ name: String, _ environment: [String: String]) -> String? {
        (environment["PATH"] ?? "").split(separator: ":").lazy.map { "\($0)/\(name)" }.first { access($0, X_OK) == 0 }
    }

    /// A program that was started, and what it writes.
    struct Run: Sendable {
        let process: pid_t
        let output: Int32
        /// The most bytes of an image: sixels of a large screen have some megabytes.
        private static let limit = 32 << 20

        init(_ process: pid_t, output: Int32) { (self.process, self.output) = (process, output) }

        /// Ends it at once, with the programs that it has started. It has nothing to clean up, and may ignore a request.
        func end() {
            // It leads a process group of its own.
            kill(-process, SIGKILL)
        }

        /// Waits for its end and returns what it has written; nil if it failed.
        func read() -> [UInt8]? {
            var (bytes, buffer): ([UInt8], [UInt8]) = ([], Array(repeating: 0, count: 65_536))
            while bytes.count <= Self.limit {
                let count = Glibc.read(output, &buffer, buffer.count)
                if count < 0, errno == EINTR { continue }
                guard count > 0 else { break }
                bytes += buffer[..<count]
            }
            close(output)
            if bytes.count > Self.limit { end() }
            var status: Int32 = 0
            while waitpid(process, &status, 0) < 0, errno == EINTR {}
            return status == 0 && bytes.count <= Self.limit ? bytes : nil
        }
    }

    /// Starts it on a file. It can ask the terminal how large a cell is, and read no key.
    func startForOutput(on path: String, terminal: String?) throws(EditorError) -> Run {
        var ends: [Int32] = [0, 0]
        guard pipe(&ends) == 0 else {
            throw EditorError(.notStarted, "No pipe for \(words[0]): \(String(cString: strerror(errno))).")
        }
        defer { close(ends[1]) }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 0, terminal ?? "/dev/null", O_WRONLY | O_NOCTTY, 0)
        posix_spawn_file_actions_adddup2(&actions, ends[1], 1)
        posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
        do throws(EditorError) {
            return Run(try spawn(on: path, &actions), output: ends[0])
        } catch {
            close(ends[0])
            throw error
        }
    }
}
