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
            message = .notice("The scenario is on the clipboard: \(session.steps.count) steps.")
        default: break
        }
    }

    func perform(_ question: LabPrompt.Question, _ answer: String) throws {
        let name = answer.trimmingCharacters(in: .whitespaces)
        switch question {
        case .stormSeed(let count):
            guard let seed = UInt64(name) else { throw LabRefusal("A seed is a whole number.") }
            stormSeed = seed
            try storm(count)
        case .save:
            guard !name.isEmpty else { return }
            try ScenarioFile.append(session.scenario, to: name)
            message = .notice("\(session.steps.count) steps are a line of \(name). `yap lab \(name)` opens it.")
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
