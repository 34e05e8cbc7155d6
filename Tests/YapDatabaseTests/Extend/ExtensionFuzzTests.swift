import Foundation
import Testing

/// The property tests of the extensions, with other seeds, for as long as one likes: `./run fuzz` sets `SECONDS` for each.
///
/// In the usual run they have fixed seeds, and together 20,000 transactions.
@Suite struct ExtensionFuzzTests {
    private static let environment = ProcessInfo.processInfo.environment
    /// The seed of the first run; the others follow. `YAP_FUZZ_SEED` sets it.
    private static let firstSeed = environment["YAP_FUZZ_SEED"].flatMap(UInt64.init)

    enum Property: CaseIterable {
        case views, filteredViews, searchResults, lookups, relationships, cloudCores, groupLists, relatedLists,
            timedLists

        func run(_ seed: UInt64, transactions: Int) async throws {
            switch self {
            case .views: try ViewPropertyTests.run(seed, transactions: transactions)
            case .filteredViews: try FilteredViewPropertyTests.run(seed, transactions: transactions)
            case .searchResults: try SearchResultsPropertyTests.run(seed, transactions: transactions)
            case .lookups: try LookupPropertyTests.run(seed, transactions: transactions)
            case .relationships: try RelationshipPropertyTests.run(seed, transactions: transactions)
            case .cloudCores: try CloudCorePropertyTests.run(seed, transactions: transactions)
            case .groupLists: try await GroupListTests.run(seed, transactions: transactions)
            case .relatedLists: try await RelatedListTests.run(seed, transactions: transactions)
            case .timedLists: try await TimedListTests.run(seed, transactions: transactions)
            }
        }
    }

    @Test(.enabled(if: environment["YAP_FUZZ_SECONDS"] != nil), arguments: Property.allCases)
    func extensionsAgreeWithTheirModels(property: Property) async throws {
        let first = Self.firstSeed ?? UInt64.random(in: 1...1_000_000_000)
        let end = ContinuousClock.now + .seconds(Self.environment["YAP_FUZZ_SECONDS"].flatMap(Double.init) ?? 60)
        let transactions = 300
        var seed = first
        repeat {
            try await property.run(seed, transactions: transactions)
            seed += 1
        } while ContinuousClock.now < end
        print("\(property): \(seed - first) times \(transactions) transactions from YAP_FUZZ_SEED=\(first) on")
    }
}
