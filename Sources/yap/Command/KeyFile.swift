import Foundation
import TerminalCells
import YapDatabase

/// The file with the user's own keys.
enum KeyFile {
    /// `yap/keys` in the configuration folder: `$XDG_CONFIG_HOME`, or else `~/.config`.
    static var url: URL {
        // The XDG rules require that a relative path is ignored.
        let named = ProcessInfo.processInfo.environment["XDG_CONFIG_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
        let folder =
            named.map { URL(filePath: $0) }
            ?? homeFolder.appending(path: ".config")
        return folder.appending(path: "yap/keys")
    }

    /// Reads the file; returns the default if there is none.
    static func read() throws -> KeyConfig {
        do {
            let text = try SmallFile.text(url.path, limit: sizeLimit, kind: "file of keys")
            return try KeyConfig(text, file: url.path, screens: ["chat", "browse", "diff", "lab"])
        } catch let error as POSIXError where error.code == .ENOENT {
            return .none
        }
    }

    /// Every key that there is has room in it many times.
    private static let sizeLimit = 1 << 20

    /// Returns the text about it in the help of a command with a screen.
    static func help(screen: String, _ maps: [KeyMap]) -> String {
        var names: [String] = []
        for name in maps.flatMap(\.bindings).map(\.action.rawValue) where !names.contains(name) { names.append(name) }
        // Lines are not broken in a name.
        var lines = [""]
        for (index, name) in names.enumerated() {
            let part = name + (index == names.count - 1 ? "." : ",")
            let line = lines[lines.count - 1]
            if line.isEmpty || line.count + 1 + part.count > 100 {
                lines.append(part)
            } else {
                lines[lines.count - 1] += " " + part
            }
        }
        let actions = lines.dropFirst().joined(separator: "\n")
        return """
            Keys can be changed in ~/.config/yap/keys (or yap/keys in $XDG_CONFIG_HOME), a key and what it does on a line:

              ctrl-j   next        # on every screen
              q        none        # nothing any more
              [\(screen)]
              alt-x    help        # from here on only in yap \(screen)

            What keys can do in yap \(screen):
            \(actions)
            """
    }
}
