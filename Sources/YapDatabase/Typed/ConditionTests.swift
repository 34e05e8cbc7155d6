/// The tests of a condition, in the order in which they are asked, and where each answer leads: to another test, or to the answer of the whole.
///
/// A condition of any size or depth is answered by one loop, without recursion.
struct ConditionTests<Test: Sendable>: Sendable {
    private let tests: [Test]
    private let branches: [ConditionBranch]

    init(_ test: Test) {
        tests = [test]
        branches = [ConditionBranch(ifTrue: ConditionBranch.isTrue, ifFalse: ConditionBranch.isFalse)]
    }

    private init(_ tests: [Test], _ branches: [ConditionBranch]) { (self.tests, self.branches) = (tests, branches) }

    /// The only test; nil if there are several, or if its contrary is asked for.
    var single: Test? {
        tests.count == 1 && branches[0].ifTrue == ConditionBranch.isTrue ? tests[0] : nil
    }

    /// Whether all tests together hold.
    /// - Parameter ask: returns the answer of a test.
    @inline(__always) func hold(_ ask: (Test) throws -> Bool) rethrows -> Bool {
        var next = 0
        while next >= 0 { next = try ask(tests[next]) ? branches[next].ifTrue : branches[next].ifFalse }
        return next == ConditionBranch.isTrue
    }

    /// Asks the other tests where these do not decide. O(tests).
    func joined(_ junction: ConditionClause.Junction, _ other: Self) -> Self {
        Self(tests + other.tests, branches.joined(junction, other.branches))
    }

    /// The contrary.
    var inverted: Self { Self(tests, branches.map(\.inverted)) }
}

/// Where the answers of a test lead: to the test of an index, or to the answer of the whole.
struct ConditionBranch: Sendable {
    var ifTrue: Int
    var ifFalse: Int

    static let isTrue = -1
    static let isFalse = -2

    fileprivate var inverted: ConditionBranch {
        func inverted(_ next: Int) -> Int { next >= 0 ? next : next == Self.isTrue ? Self.isFalse : Self.isTrue }
        return ConditionBranch(ifTrue: inverted(ifTrue), ifFalse: inverted(ifFalse))
    }

    /// - Parameters:
    ///   - answer: an answer of the whole.
    ///   - next: the test that is asked in its place.
    fileprivate func replacing(_ answer: Int, by next: Int) -> ConditionBranch {
        ConditionBranch(ifTrue: ifTrue == answer ? next : ifTrue, ifFalse: ifFalse == answer ? next : ifFalse)
    }

    fileprivate func moved(by count: Int) -> ConditionBranch {
        ConditionBranch(
            ifTrue: ifTrue >= 0 ? ifTrue + count : ifTrue, ifFalse: ifFalse >= 0 ? ifFalse + count : ifFalse)
    }
}

extension [ConditionBranch] {
    fileprivate func joined(_ junction: ConditionClause.Junction, _ other: Self) -> Self {
        let open = junction == .and ? ConditionBranch.isTrue : ConditionBranch.isFalse
        return map { $0.replacing(open, by: count) } + other.map { $0.moved(by: count) }
    }
}
