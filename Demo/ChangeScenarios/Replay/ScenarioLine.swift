/// One line of a replay: a scenario, and the line that answers it.
struct ScenarioLine {
    /// The most bytes of a line. The longest of the vectors has 40 KB.
    static let lengthLimit = 64 << 20

    package let bytes: [UInt8]

    /// Returns the result or the error as one line of JSON with its line break.
    package func answer(in folder: ScratchFolder) -> Answer {
        do {
            return Answer(json: try Scenario(line: bytes).answer(in: folder), isError: false)
        } catch {
            return Answer(json: ["error": "\(error)".json], isError: true)
        }
    }

    package struct Answer: Sendable {
        package let bytes: [UInt8]
        let isError: Bool

        package init(json: JSON, isError: Bool) {
            var bytes: [UInt8] = []
            json.write(to: &bytes)
            bytes.append(UInt8(ascii: "\n"))
            self.bytes = bytes
            self.isError = isError
        }
    }
}

extension Scenario {
    /// Reads a scenario or a line of the vectors.
    package init(line: [UInt8]) throws(ScenarioError) {
        guard line.count <= ScenarioLine.lengthLimit else {
            throw ScenarioError("should be no longer than \(ScenarioLine.lengthLimit >> 20) MiB")
        }
        let json: JSON
        do {
            json = try JSONReader.read(line)
        } catch {
            throw ScenarioError("should be JSON: \(error)")
        }
        try self.init(json: json)
    }
}
