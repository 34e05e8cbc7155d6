import Testing

@testable import ViewPageKeys

/// Pages are written as `key<previous`, a first page as `key`, all of one group unless `group:` stands before.
@Suite struct PageChainsTests {
    private struct Stop: Error {}

    private func chains(_ pages: String) -> PageChains {
        var chains = PageChains()
        for page in pages.split(separator: " ") {
            let parts = page.split(separator: ":")
            let names = parts[parts.count - 1].split(separator: "<").map { PageName(String($0)) }
            let group = chains.group(named: parts.count == 1 ? "g" : String(parts[0]))
            chains.add(names[0], after: names.count == 1 ? nil : names[1], inGroup: group)
        }
        return chains
    }

    @Test func aChainIsOrderedWhateverTheOrderOfItsPages() throws {
        #expect(try chains("c<b a b<a").order { _ in throw Stop() } == [1, 2, 0])
        #expect(try chains("x:b<a x:a y:c").order { _ in throw Stop() } == [1, 0, 2])
        #expect(try PageChains().order { _ in throw Stop() } == [])
    }

    @Test(arguments: [
        ("a b", "has two first pages instead of one", [0, 1]),
        ("a b c", "has 3 first pages instead of one", [0, 1, 2]),
        ("a c<x", "follows one that the group does not have", [0, 1]),
        ("a c<a b<a d<c", "fork", [0, 1, 3, 2]),
        ("x:a y:c y:b<a", "follows a page of another group", [0, 1, 2]),
        ("b<a a<b", "has no first page instead of one", [0, 1]),
        ("a c<d d<c", "form a circle", [0, 1, 2]),
        ("a c<c", "form a circle", [0, 1]),
    ])
    func damageIsNamedAndEveryPageIsThere(pages: String, damage: String, order: [Int]) throws {
        var damages: [String] = []
        #expect(chains(pages).order { damages.append($0) } == order)
        #expect(damages.contains { $0.contains(damage) }, "\(damages)")
        #expect(throws: Stop.self) { try chains(pages).order { _ in throw Stop() } }
    }
}
