import AnimationLab
import Foundation

@MainActor let labCommand = Command(
    name: "lab", usage: "--replay FILE", summary: "Runs scenarios of mappings and change-sets.",
    details: """
        A scenario is one line of JSON: what is in a view, how mappings show it, what is committed. For each line of FILE,
        or of standard input if FILE is -, one line with the result is printed: what is shown before and after each step,
        and the change-set between them. A line that is no scenario gives {"error": …}, and exit code 1 at the end.

          echo '{"mappings": {"groups": ["A"]}, "counts": {"A": 2},
                 "log": [{"op": "deleteRow", "group": "A", "index": 0, "key": "k1"}]}' | tr -d '\\n' | yap lab --replay -
        """,
    options: [
        Option(name: "replay", argument: "FILE", help: "The scenarios, one a line; - is standard input.")
    ]
) { options in
    try options.refuseOperands()
    guard let path = options["replay"] else {
        throw UsageError("The interactive lab comes with a later release; --replay FILE runs scenarios already.")
    }
    return try replayScenarios(at: path) ? ExitCode.good : ExitCode.failed
}
