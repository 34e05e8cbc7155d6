import Foundation
import LiveTable

/// The folder of the user's own chats: `$XDG_DATA_HOME/yap`, or else `~/.local/share/yap`.
var dataFolder: URL {
    // The XDG rules require that a relative path is ignored.
    let data = ProcessInfo.processInfo.environment["XDG_DATA_HOME"].flatMap {
        $0.hasPrefix("/") ? URL(filePath: $0) : nil
    }
    return (data ?? homeFolder.appending(path: ".local/share")).appending(path: "yap")
}
