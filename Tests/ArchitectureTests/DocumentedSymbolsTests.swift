import Testing

/// Every public symbol of the library products, and of the modules that they re-export, is documented.
///
/// What counts is what the compiler gives to the documentation. A symbol that fulfils a requirement of a protocol, such as `==`,
/// `hash(into:)` or `next()`, may leave the comment to the requirement, whose comment is shown then. Members that the compiler
/// derives have none.
@Suite struct DocumentedSymbolsTests {
    @Test func everyPublicSymbolIsDocumented() throws {
        let symbols = try SymbolGraph.all.get()
        #expect(symbols.count > 1_500)
        let undocumented = symbols.filter { $0.docComment == nil }.map(\.description).sorted()
        #expect(
            undocumented.isEmpty,
            """
            \(undocumented.count) public symbols have no doc comment:
            \(undocumented.joined(separator: "\n"))
            """)
    }
}
