import Testing

/// The comments of public functions say what a caller must know: parameters, errors, threads, an example.
///
/// Each limit is the present count. It may only become smaller: a test also fails if fewer are left than its limit says.
///
/// Not counted are comments that the compiler takes from a requirement or a superclass, and functions that only forward: the names of the
/// original, in folders `Compatibility`, and those whose comment begins with "The same as".
@Suite struct DocumentationMeasuresTests {
    @Test func functionsOfSeveralParametersDescribeThem() throws {
        try check(limit: 0, outOf: 400) { member in
            member.parameters.count >= 2 ? member.comment.contains("- Parameter") : nil
        }
    }

    /// The comment names a code, another type of error, or a closure or function that throws the same.
    @Test func throwingFunctionsNameTheirErrors() throws {
        try check(limit: 0, outOf: 300) { member in
            guard member.doesThrow else { return nil }
            guard let field = member.comment.firstRange(of: "- Throws:") else { return false }
            return member.comment[field.upperBound...].contains(/`|what the \w+ throws?|any error/)
        }
    }

    @Test func functionsThatTakeABlockSayWhereItRuns() throws {
        try check(limit: 0, outOf: 100) { member in
            guard member.takesBlock else { return nil }
            return member.comment.contains(/thread|main actor|MainActor|(?i:queue)`|[a-z'] queue\b/)
        }
    }

    /// Views, lists, connections, transactions and tables. An overload shares the example of another one, and a member may have it in
    /// the comment of its type, or name the member that has it: "Example: ``read(_:)``."
    @Test func membersHaveAnExample() throws {
        let members = try members()
        let withExample = Set(members.filter(\.hasOwnExample).map(\.baseName))
        let shown = Dictionary(grouping: members.filter(\.hasOwnExample), by: \.typeName)
            .mapValues { Set($0.map(\.baseName)) }
        let types = try examplesOfTypes()
        try check(limit: 0, outOf: 400) { member in
            guard Self.typesWithExamples.contains(member.typeName), member.symbol.pathComponents.count == 2,
                member.isFunction, !member.isPlainGetter
            else { return nil }
            if shown[member.typeName]?.contains(member.baseName) == true { return true }
            let call = member.baseName == "init" ? "\(member.typeName)(" : ".\(member.baseName)("
            if types[member.typeName]?.contains(call) == true { return true }
            return member.references.contains { withExample.contains($0) }
        }
    }

    /// A parameter that was renamed keeps its old name in the comment otherwise.
    @Test func everyDescribedParameterExists() throws {
        try check(limit: 0, outOf: 400) { member in
            guard member.isFunction, !member.describedParameters.isEmpty else { return nil }
            return member.describedParameters.isSubset(
                of: member.parameters.flatMap { [$0.name, $0.internalName ?? $0.name] })
        }
    }

    private static let typesWithExamples: Set<String> = [
        "YapDatabase", "YapDatabaseConnection", "YapDatabaseConnectionPool", "YapDatabaseConnectionProxy",
        "YapDatabaseReadTransaction", "YapDatabaseReadWriteTransaction", "YapDatabaseView", "YapDatabaseAutoView",
        "YapDatabaseFilteredView", "YapDatabaseSearchResultsView", "YapDatabaseManualView",
        "YapDatabaseViewTransaction",
        "YapDatabaseAutoViewTransaction", "YapDatabaseFilteredViewTransaction",
        "YapDatabaseSearchResultsViewTransaction", "YapDatabaseManualViewTransaction", "YapDatabaseViewConnection",
        "YapDatabaseViewMappings", "YapDatabaseViewCoordinator", "YapDatabaseViewGrouping", "YapDatabaseViewSorting",
        "YapDatabaseViewFiltering", "YapDatabaseViewRangeOptions", "YapList", "YapListRows", "YapListModel",
        "YapUpdates", "YapWindow", "YapRelation", "YapRelationRows", "YapRTreeIndex", "YapRTreeMatches", "YapPages",
        "YapPageReader", "YapCollection", "YapRows", "YapIndex", "YapQuery", "YapTextIndex", "YapTextMatches",
        "LiveTable", "LiveTables", "ListScreen", "TableView", "Table", "TableUpdates", "Mappings", "ListSnapshot",
    ]

    /// - Parameters:
    ///   - limit: how many may lack it.
    ///   - least: fewer members than these would mean that the test does not find them.
    ///   - has: whether a member has what it needs; nil for one that needs nothing.
    private func check(limit: Int, outOf least: Int, _ has: (PublicMember) -> Bool?) throws {
        let answers = try members().compactMap { member in has(member).map { (member, $0) } }
        #expect(answers.count > least)
        let found = answers.filter { !$0.1 }.map(\.0.symbol.description).sorted()
        #expect(
            found.count <= limit,
            "\(found.count) instead of at most \(limit):\n\(found.joined(separator: "\n"))")
        #expect(found.count >= limit, "Only \(found.count) are left: lower the limit.")
    }

    private func members() throws -> [PublicMember] { try SymbolGraph.all.get().compactMap(PublicMember.init) }

    /// The examples in the comments of types.
    private func examplesOfTypes() throws -> [String: String] {
        var examples: [String: String] = [:]
        for symbol in try SymbolGraph.all.get() where symbol.pathComponents.count == 1 {
            let lines = symbol.docComment?.lines.map(\.text) ?? []
            let fences = lines.split(omittingEmptySubsequences: false) { $0.hasPrefix("```") }
            let code = fences.enumerated().filter { $0.offset % 2 == 1 }.flatMap { $0.element }
            examples[symbol.pathComponents[0], default: ""] += code.joined(separator: "\n")
        }
        return examples
    }
}

/// A public function, initializer, subscript or property, with a comment of its own.
private struct PublicMember {
    let symbol: SymbolGraph.Symbol
    let comment: String
    /// The declaration as it is written.
    private let declaration: String

    init?(_ symbol: SymbolGraph.Symbol) {
        guard let location = symbol.location, let lines = symbol.docComment?.lines, let last = lines.last?.range,
            symbol.docComment?.uri == location.uri,
            // Attributes may stand between comment and declaration.
            (0...3).contains(location.position.line - last.end.line - 1),
            !location.uri.contains("/Compatibility/"), lines[0].text.contains("The same as ") == false,
            !symbol.kind.identifier.hasSuffix(".op"),
            Self.kinds.contains(String(symbol.kind.identifier.dropFirst("swift.".count)))
        else { return nil }
        self.symbol = symbol
        comment = lines.map(\.text).joined(separator: "\n")
        declaration = (symbol.declarationFragments ?? []).map(\.spelling).joined()
    }

    private static let kinds: Set<String> = [
        "func", "method", "type.method", "init", "subscript", "type.subscript", "property", "type.property",
    ]

    var parameters: [SymbolGraph.Symbol.Signature.Parameter] { symbol.functionSignature?.parameters ?? [] }
    var isFunction: Bool { !symbol.kind.identifier.hasSuffix("property") }
    var typeName: String { symbol.pathComponents[0] }
    var baseName: String { String(symbol.pathComponents.last?.prefix { $0 != "(" } ?? "") }
    var hasOwnExample: Bool { comment.contains("```swift") }
    var doesThrow: Bool { signature.contains(/\b(re)?throws\b/) }
    /// Whether it only returns a value, without parameters, so that its first sentence is an example.
    var isPlainGetter: Bool {
        parameters.isEmpty && symbol.kind.identifier != "swift.init" && !signature.contains(/\b(throws|async)\b/)
            && declaration.contains("->")
    }
    var takesBlock: Bool {
        parameters.contains { $0.declarationFragments.contains { $0.spelling.contains("->") } }
    }
    /// The names of the members whose examples the comment refers to.
    var references: [String] {
        comment.matches(of: /Example: `+([A-Za-z]+)/).map { String($0.1) }
    }

    var describedParameters: Set<String> {
        var names = Set(comment.matches(of: /- Parameter (\w+):/).map { String($0.1) })
        if let list = comment.firstRange(of: "- Parameters:\n") {
            for line in comment[list.upperBound...].split(separator: "\n") {
                guard line.hasPrefix("  ") else { break }
                guard let item = line.firstMatch(of: /^  - ([\w, ]+):/) else { continue }
                names.formUnion(item.1.split(separator: ",").map { $0.trimmingPrefix(" ").description })
            }
        }
        return names
    }

    /// What stands outside of parentheses before the result; of a property or subscript, its accessors.
    private var signature: String {
        var depth = 0
        var outside = ""
        for character in declaration {
            if "([".contains(character) { depth += 1 }
            if depth == 0 { outside.append(character) }
            if ")]".contains(character) { depth -= 1 }
        }
        let isAccessed = symbol.kind.identifier.hasSuffix("property") || symbol.kind.identifier.hasSuffix("subscript")
        let parts = outside.split(separator: isAccessed ? "{" : "->", maxSplits: 1, omittingEmptySubsequences: false)
        return String(isAccessed ? parts.last ?? "" : parts[0])
    }
}
