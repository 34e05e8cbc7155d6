import Foundation
import Testing

@Suite struct CompletionTests {
    @Test(arguments: [
        (["yap", "ch"], "chat check"),
        (["yap", "chat", "--mo"], "--motion"),
        (["yap", "chat", "--motion", ""], "full reduced none"),
        (["yap", "completions", "z"], "zsh"),
        (["yap", "check", ""], ""), (["yap", "lab", ""], ""), (["yap", "lab", "--gallery", "ro"], "roster"),
        (["yap", "lab", "--json", "--gallery", "hi"], "hi"), (["yap", "lab", "--gallery", "--j"], "--json"),
        (["yap", "server", "re"], "revoke restore"), (["yap", "server", "--space", "tea", "st"], "status"),
        (["yap", "server", "status", ""], ""), (["yap", "chat", "i"], "import"), (["yap", "chat", "import", ""], ""),
        (["yap", "help", "ser"], "server"), (["yap", "--v"], "--version"),
        (["yap", "chat", "--motion", "="], "full reduced none"), (["yap", "chat", "--motion", "=", "r"], "reduced"),
    ])
    func bashCompletes(words: [String], expected: String) throws {
        let script = """
            \(try completions("bash"))
            COMP_WORDS=(\(words.map { "'\($0)'" }.joined(separator: " ")))
            COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
            _yap
            echo "${COMPREPLY[*]}"
            """
        #expect(try output(of: "/bin/bash", ["-c", script]) == expected + "\n")
    }

    @Test(
        .enabled(if: isInstalled("/usr/bin/fish")),
        arguments: [
            ("yap chat --mo", "--motion"), ("yap chat --motion f", "full"), ("yap comp", "completions"),
            ("yap lab --gallery ros", "roster"), ("yap server res", "restore"), ("yap help ser", "server"),
            ("yap --vers", "--version"), ("yap chat --motion=f", "--motion=full"),
        ])
    func fishCompletes(line: String, expected: String) throws {
        let answer = try output(of: "/usr/bin/fish", ["-c", "\(try completions("fish"))\ncomplete -C '\(line)'"])
        #expect(answer.split { "\t\n".contains($0) }.first == Substring(expected))
    }

    @Test(.enabled(if: isInstalled("/usr/bin/zsh"))) func zshTakesTheScript() throws {
        #expect(try output(of: "/usr/bin/zsh", ["-n", "-c", try completions("zsh")]) == "")
    }

    @Test(arguments: ["bash", "zsh", "fish"]) func theGallerysNamesAreInTheScript(shell: String) throws {
        let script = try completions(shell)
        for line in try output(["lab", "--gallery"]).split(separator: "\n") {
            let name = try #require(line.split(separator: " ").first)
            #expect(script.contains(try Regex("[ '\"]\(name)[ ;'\"]")), "\(name)")
        }
    }

    /// The words stand in the usage line, each in place of an operand.
    @Test(arguments: ["bash", "zsh", "fish"]) func everyWordOfAUsageLineIsCompleted(shell: String) throws {
        let script = try completions(shell)
        for command in try commandNames() {
            let usage = try output(["help", command]).split(separator: "\n")[0].split(separator: command, maxSplits: 1)
            for word in try #require(usage.last).replacing(/--[a-z]+/, with: "").matches(of: /[a-z]{2,}/) {
                #expect(script.contains(try Regex("[ '\"(]\(word.0)[ ;'\")]")), "\(command) \(word.0)")
            }
        }
    }

    /// The help names every option.
    @Test(arguments: ["bash", "zsh", "fish"]) func everyOptionOfEveryCommandIsCompleted(shell: String) throws {
        let script = try completions(shell)
        let dash = shell == "fish" ? "-l " : "--"
        for command in try commandNames() {
            #expect(script.contains(command))
            for line in try output(["help", command]).split(separator: "\n") where line.hasPrefix("  -") {
                let name = try #require(line.firstMatch(of: /--([a-z-]+)/)).1
                #expect(script.contains(dash + name), "\(command) --\(name)")
            }
        }
    }

    @Test func anUnknownShellIsNamed() throws {
        let run = try YapRun(["completions", "tcsh"])
        #expect(run.code == 2)
        #expect(run.errors.contains("bash, zsh, fish, not for \"tcsh\""))
    }

    private func completions(_ shell: String) throws -> String { try output(["completions", shell]) }
}

/// The names in the list of commands.
func commandNames() throws -> [String] {
    let list = try output(["help"]).split(separator: "Commands:\n")[1].split(separator: "\n\n")[0]
    return list.split(separator: "\n").compactMap { $0.split(separator: " ").first.map(String.init) }
}

private func isInstalled(_ path: String) -> Bool { FileManager.default.isExecutableFile(atPath: path) }
