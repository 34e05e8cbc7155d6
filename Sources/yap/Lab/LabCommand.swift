import AnimationLab
import ChangeScenarios
import Foundation
import NearestName
import TableModel
import TerminalScreen

@MainActor let labCommand = Command(
    name: "lab", usage: "[OPTIONS] [FILE]", summary: "Change-sets by hand: cause them, watch them, keep them.",
    details: """
        A change-set is the list of changes that leads a list on screen from one commit to the next. At the left is a list
        from a real database; at the right the change-set of the last commit, the log that it was computed from, the
        mappings, and whether the law holds: the rows before and the change-set give the rows after. Keys edit rows and
        settings, collect edits into transactions, slow time down and go back along the timeline; ? shows all of them. Tab
        leads to the settings of the mappings: ranges, order, dependencies, and which groups are shown.

          yap lab                          # a few rows to play with
          yap lab --db rows.sqlite         # rows kept in a file, shown in each terminal that opens it

        The gallery explains change-sets step by step. Where another implementation answers differently, its result is a
        table beside ours. Without NAME it lists the names. In a terminal a scenario opens on the screen; into a pipe, and
        with --json, it is printed.

          yap lab --gallery
          yap lab --gallery roster
          yap lab --gallery hi --json | yap lab --replay -

        The steps so far are a scenario, one line of JSON: w writes it to a file. A scenario has one choice of groups, so
        after a change of groups it begins there. FILE is such a file, or the output of a failed test; it opens at the first
        step with an error. Without a screen, --replay prints for each line of a file, or of standard input if it is -, one
        line with the result: the rows shown before and after each step, and the change-set between them. A line that is not
        a scenario gives {"error": …}, and exit code 1 at the end.

          yap lab scenario.jsonl
          echo '{"mappings": {"groups": ["A"]}, "counts": {"A": 2},
                 "log": [{"op": "deleteRow", "group": "A", "index": 0, "key": "k1"}]}' | tr -d '\\n' | yap lab --replay -

        --shrink makes every failing scenario of FILE as small as possible and prints it as one line for --replay. A
        scenario fails if its change-set breaks the law (applied to the rows before, it must give the rows after), if the
        replay ends with an error, or if the answer differs from the one that the line expects. Exit code 1: nothing fails.

          yap lab --shrink failed.jsonl > small.jsonl

        \(KeyFile.help(screen: "lab", LabKeys.standard.maps))
        """,
    options: [
        Option(name: "db", argument: "FILE", help: "A database of the lab that keeps its rows."),
        Option(name: "gallery", choices: galleryNames, help: "Shows a scenario of the gallery, or lists them."),
        Option(name: "json", help: "Prints the gallery as lines of JSON; each is also a scenario."),
        Option(
            name: "replay", argument: "FILE", help: "Runs scenarios, one a line, without a screen; - is standard input."
        ),
        Option(name: "shrink", argument: "FILE", help: "Makes the failing scenarios of FILE as small as possible."),
        Option(name: "seed", argument: "N", help: "The same seed gives the same random edits and storms."),
        .motion, .unicode,
    ]
) { options in
    let modes = ["gallery", "replay", "shrink"].filter { options[$0] != nil }
    guard modes.count < 2 else { throw UsageError("--\(modes[0]) and --\(modes[1]) exclude each other.") }
    _ = try options.seed()
    if options["gallery"] != nil { return try showGallery(options) }
    if options["replay"] != nil || options["shrink"] != nil {
        try options.refuseOperands()
    }
    if let path = options["shrink"] { return try shrink(path) }
    if let path = options["replay"] { return try replayScenarios(at: path) ? ExitCode.good : ExitCode.failed }
    guard options.operands.count <= 1 else { throw UsageError("One file at a time.") }
    if let name = options.operands.first { try refuseGalleryName(name) }
    return try openLab(options.operands.first.map { .file($0) } ?? .playground, options)
}

/// - Throws: ``UsageError`` if a scenario of the gallery is named where a file is expected.
private func refuseGalleryName(_ name: String) throws {
    guard !FileManager.default.fileExists(atPath: name),
        let question = didYouMean(insteadOf: name, in: galleryNames, as: { "yap lab --gallery \($0)" })
    else { return }
    throw UsageError("There is no file \(name). \(question)")
}

@MainActor private func showGallery(_ options: ParsedOptions) throws -> Int32 {
    guard options.operands.count <= 1 else { throw UsageError("One scenario at a time.") }
    let asJSON = options["json"] != nil
    guard let name = options.operands.first else {
        try printText(galleryList(asJSON: asJSON))
        return ExitCode.good
    }
    if !asJSON, isatty(STDIN_FILENO) == 1, isatty(STDOUT_FILENO) == 1 { return try openLab(.gallery(name), options) }
    try printText(galleryEntry(named: name, asJSON: asJSON))
    return ExitCode.good
}

@MainActor private func shrink(_ path: String) throws -> Int32 {
    let report = ShrinkReport()
    return try shrinkScenarios(at: path) { report.tell($0) } ? ExitCode.good : ExitCode.failed
}

@MainActor private func openLab(_ opening: LabOptions.Opening, _ options: ParsedOptions) throws -> Int32 {
    let keys = try KeyFile.read()
    // The screen reads signals from a descriptor, so they must be blocked before the first thread starts.
    Terminal.blockSignals()
    return try runLab(
        LabOptions(
            opening: opening, database: try options.database(),
            seed: try options.seed(), motion: try options.motion(),
            unicode: try options.choice("unicode") ?? Terminal.unicode, keys: keys))
}
