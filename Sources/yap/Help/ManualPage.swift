/// `man/yap.1`: the help of every command in man's format.
struct ManualPage {
    let commands: [Command]

    var text: String { (head + commands.flatMap(section) + foot).joined(separator: "\n") + "\n" }

    private var head: [String] {
        [
            ".\\\" Made by `yap help --man`; `./run manual` writes it.",
            ".TH YAP 1 \"\" \"yap \(version)\" \"User Commands\"",
            ".SH NAME",
            "yap \\- live lists from a local database, in the terminal",
            ".SH SYNOPSIS",
        ] + commands.flatMap { [".br", ".B yap \($0.name)", roff($0.usage)] } + [
            ".SH DESCRIPTION",
            "A YapDatabase file holds rows by collection and key, and views: sorted, grouped lists of them that keep",
            "themselves up to date in every commit. yap shows such lists live, looks into any such file, and runs what",
            "makes them move by hand.",
            ".SH COMMANDS",
        ]
    }

    private func section(_ command: Command) -> [String] {
        [".SS yap \(command.name) \(roff(command.usage))"] + paragraphs(command.details)
            + command.options.flatMap { option in
                let letter = option.letter.map { "\\fB\\-\($0)\\fR, " } ?? ""
                let argument = option.argument.map { " \\fI\(roff($0))\\fR" } ?? ""
                return [".TP", "\(letter)\\fB\\-\\-\(roff(option.name))\\fR\(argument)", roff(option.help)]
            }
    }

    private var foot: [String] {
        let variables = environment.flatMap { [".TP", ".B \(roff($0.name))", roff($0.help)] }
        let files = ownFiles.flatMap { [".TP", ".I \(roff($0.name))", roff($0.help)] }
        return [".SH ENVIRONMENT"] + variables + [".SH FILES"] + files + ending
    }

    private let ending = [
        ".SH EXIT STATUS",
        "0: all went well. 1: something failed, or what was looked at is damaged. 2: the command line makes no sense.",
        "3: what was printed may not be what was asked for: the file is damaged, or no row has a field that was named.",
        "130: interrupted.",
        ".SH REPORTING",
        "Messages go to standard error, data to standard output.",
    ]

    /// Returns paragraphs. Indented lines are examples and stay unchanged.
    private func paragraphs(_ text: String) -> [String] {
        var lines: [String] = []
        var isExample = false
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            if line.isEmpty {
                lines.append(isExample ? "" : ".PP")
            } else if line.hasPrefix("  ") {
                if !isExample { lines += [".RS", ".nf"] }
                isExample = true
                lines.append(roff(line.dropFirst(2)))
            } else {
                if isExample { lines += [".fi", ".RE", ".PP"] }
                isExample = false
                lines.append(roff(line))
            }
        }
        if isExample { lines += [".fi", ".RE"] }
        return lines
    }

    private func roff(_ text: some StringProtocol) -> String {
        let escaped = String(text).replacing("\\", with: "\\e").replacing("-", with: "\\-")
        return escaped.hasPrefix(".") || escaped.hasPrefix("'") ? "\\&\(escaped)" : escaped
    }
}
