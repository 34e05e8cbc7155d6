import Foundation
import LiveTable

extension LabScreen {
    func chooseExample() {
        let place = LabEntry.examples.firstIndex { $0.name == stage.entry.name }
        state.overlay = .entries(.init("Examples", LabEntry.examples, chosen: place ?? 0))
    }

    func copyScenario() {
        state.screen.request(.copy("\(session.scenario.json)\n", notice: "\(recorded) on the clipboard."))
    }

    /// The part of the timeline that the scenario holds, worded up to the verb.
    private var recorded: String {
        let count = session.chapterSteps.count
        let steps = count == 1 ? "1 step" : "\(count) steps"
        let verb = count == 1 ? "is" : "are"
        guard session.chapterSteps.count < session.steps.count else { return "\(steps) \(verb)" }
        return "A scenario has one choice of groups: the \(steps) with these \(verb)"
    }

    func perform(_ question: LabQuestion, _ answer: String) throws {
        let name = answer.trimmingCharacters(in: .whitespaces)
        switch question {
        case .stormSeed(let count):
            guard let seed = UInt64(name) else { throw LabRefusal("A seed is a whole number.") }
            state.stormSeed = seed
            try storm(count)
        case .text(let key): try setText(answer, of: key)
        case .newGroup:
            guard !name.isEmpty else { return }
            try regroup(settings.groups(adding: name), showing: name)
        case .save:
            guard !name.isEmpty else { return }
            try ScenarioFile.append(session.scenario, to: name)
            show(notice: "\(recorded) a line of \(name). `yap lab \(name)` opens it.")
        case .load:
            guard !name.isEmpty else { return }
            let entries = try ScenarioFile.entries(at: name)
            state.entries.all = entries
            try open(shelf.firstOfInterest(entries))
        }
    }

    func turn(by step: Int) throws {
        guard state.entries.all.indices.contains(state.entries.open + step) else {
            throw LabRefusal(state.entries.all.count == 1 ? "There is only this one." : "There is no further one.")
        }
        try choose(state.entries.open + step)
    }

    /// Opens an entry and shows its introduction.
    func choose(_ index: Int) throws {
        try open(index)
        if !stage.entry.about.isEmpty { try explain() }
    }

    func explain() throws {
        let entry = stage.entry
        guard !entry.about.isEmpty else { throw LabRefusal("It has no introduction.") }
        let steps = entry.steps.count == 1 ? "One step" : "\(entry.steps.count) steps"
        let hint = entry.steps.isEmpty ? [] : ["\(steps): → takes one, ← goes back, x plays them."]
        let width = min(72, max(20, size.width - 8))
        let lines = ([entry.about] + hint).map { paragraph in
            TextMeasure(theme.unicode).wrapped(paragraph, width: width).map { Line(text: $0) }
        }
        state.overlay = .introduction(Overlay(entry.title, Array(lines.joined(separator: [[]]))))
    }
}
