import Foundation
import TestSupport
import Testing

/// The hooks of extensions are requirements of protocols, each with a default.
@Suite struct HookTests {
    /// Where such a class is silent, its conformance has the default for good: a hook of a subclass would never be called. Subclasses of
    /// apps have none, because hooks are not public.
    @Test func aClassWithHooksHasNoSubclass() throws {
        let classes = try classes()
        let conforming = Set(classes.filter { $0.supers.contains { $0.hasSuffix("Hooks") } }.map(\.name))
        #expect(conforming.isSuperset(of: ["YapDatabaseAutoView", "YapDatabaseAutoViewTransaction"]))
        for one in classes where !conforming.isDisjoint(with: one.supers) {
            Issue.record(
                "\(one.name) inherits hooks, so that its own may not be called. Let it conform, not its superclass.")
        }
    }

    /// Every class of the library that has a superclass or conforms to something.
    private func classes() throws -> [(name: String, supers: Set<String>)] {
        let url = repository.appending(path: "Sources")
        let paths = try FileManager.default.subpathsOfDirectory(atPath: url.path).filter { $0.hasSuffix(".swift") }
        return try paths.flatMap { path in
            let text = try String(contentsOf: url.appending(path: path), encoding: .utf8)
            return text.matches(of: /(?m)^[ \w]*\bclass (\w+): ([^{\n]+)\{/).map { match in
                (String(match.1), Set(match.2.split(whereSeparator: { " ,&".contains($0) }).map(String.init)))
            }
        }
    }
}
