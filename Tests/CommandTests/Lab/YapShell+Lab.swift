extension YapShell {
    /// The lab, once it is on the screen.
    ///
    /// - Parameter arguments: what follows `yap lab`.
    static func lab(
        _ arguments: String = "", width: Int = 100, height: Int = 30, environment: String = ""
    ) async throws -> YapShell {
        let shell = try await YapShell("lab --seed 7 \(arguments)", width: width, height: height)
        try shell.start(environment: environment)
        try await shell.shows(" yap lab ")
        return shell
    }

    /// Quits the lab, and waits for the shell.
    func quit() async throws {
        try await press("q")
        try await expectEnd(exitCode: 0)
    }
}
