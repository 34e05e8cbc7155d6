import Foundation
import LiveTable

extension LabScreen {
    func performOnFiles(_ action: Action) throws {
        switch action {
        case .save: prompt = LabPrompt(.save, "scenario.jsonl")
        case .load: prompt = LabPrompt(.load)
        case .gallery:
            let place = LabEntry.examples.firstIndex { $0.name == stage.entry.name }
            overlay = .entries(title: "Examples", LabEntry.examples, chosen: place ?? 0)
        case .nextScenario: try turn(by: 1)
        case .previousScenario: try turn(by: -1)
        case .copy:
            try copy("\(session.scenario.json)\n")
            message = .notice("\(recorded) on the clipboard.")
        default: break
        }
    }

    /// The part of the timeline that the scenario holds, worded up to the verb.
    private var recorded: String {
        let count = session.chapterSteps.count
        let steps = count == 1 ? "1 step" : "\(count) steps"
        let verb = count == 1 ? "is" : "are"
        guard session.chapterSteps.count < session.steps.count else { return "\(steps) \(verb)" }
        return "A scenario has one choice of groups: the \(steps) with these \(verb)"
    }

    func perform(_ question: LabPrompt.Question, _ answer: String) throws {
        let name = answer.trimmingCharacters(in: .whitespaces)
        switch question {
        case .stormSeed(let count):
            guard let seed = UInt64(name) else { throw LabRefusal("A seed is a whole number.") }
            stormSeed = seed
            try storm(count)
        case .newGroup:
            guard !name.isEmpty else { return }
            try regroup(settings.groups(adding: name), showing: name)
        case .save:
            guard !name.isEmpty else { return }
            try ScenarioFile.append(session.scenario, to: name)
            message = .notice("\(recorded) a line of \(name). `yap lab \(name)` opens it.")
        case .load:
            guard !name.isEmpty else { return }
            let entries = try ScenarioFile.entries(at: name)
            self.entries = entries
            try open(shelf.firstOfInterest(entries))
        }
    }

    private func turn(by step: Int) throws {
        guard entries.indices.contains(entry + step) else {
            throw LabRefusal(entries.count == 1 ? "There is only this one." : "There is no further one.")
        }
        try open(entry + step)
        if !stage.entry.about.isEmpty { try explain() }
    }
}
