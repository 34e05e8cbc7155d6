import LiveTable

extension GalleryEntry {
    /// Creates the entry of a defect of the original from a line of the vectors: a scenario with the original's
    /// answers.
    ///
    /// - Parameters:
    ///   - vector: the line up to the step that breaks the law, with only the changes of each answer.
    ///   - steps: the explanations of the steps.
    init(defect number: Int, name: String, title: String, about: String, vector: String, steps: [String]) {
        let line = Vector(text: vector)
        self.init(
            name: name, title: title, kind: .defect(number), about: about, scenario: line.scenario,
            steps: steps.enumerated().map { Step(text: $1, other: line.answer(to: $0)) })
    }

    /// The vectors of the gallery are part of the code; a test reads all of them.
    private struct Vector {
        let scenario: DatabaseScenario
        private let expected: JSON

        init(text: String) {
            do {
                let json = try JSONReader.read(Array(text.utf8))
                guard case .database(let scenario) = try Scenario(json: json), let expected = json["expected"] else {
                    preconditionFailure("A vector has a database scenario and what is expected.")
                }
                self.scenario = scenario
                self.expected = expected
            } catch {
                preconditionFailure("A vector of the gallery cannot be read: \(error)")
            }
        }

        func answer(to number: Int) -> OtherAnswer {
            let source = scenario.id.map { "vector \($0)" } ?? "a vector"
            guard case .array(let steps) = expected["steps"] else {
                return OtherAnswer(name: "the original", source: source, answer: .endless)
            }
            do {
                let changes = try ChangeSet(json: steps[number])
                return OtherAnswer(name: "the original", source: source, answer: .changes(changes))
            } catch {
                preconditionFailure("An answer of the gallery cannot be read: \(error)")
            }
        }
    }
}
