import Testing

@testable import TerminalScreen

@Suite struct PairTableTests {
    @Test func aPairKeepsItsNumber() throws {
        var table = PairTable(colorPairs: 64)
        let firstFound = table.number(for: pair(1))
        let first = try #require(firstFound)
        #expect(first.number == 1)
        #expect(first.isNew)
        let secondFound = table.number(for: pair(1))
        let again = try #require(secondFound)
        #expect(again.number == 1)
        #expect(!again.isNew)
        #expect(table.number(for: pair(2))?.number == 2)
    }

    @Test func theTerminalsOwnColorsNeedNoNumber() {
        var table = PairTable(colorPairs: 0)
        #expect(table.number(for: .terminal)?.number == 0)
        #expect(table.number(for: pair(1)) == nil)
    }

    @Test func aFullTableTakesBackOnlyWhatIsNotOnTheScreen() throws {
        var table = PairTable(colorPairs: 4)
        let numbers = (1...3).map { table.number(for: pair($0))?.number }
        #expect(table.number(for: pair(4)) == nil)
        table.keepOnly([pair(1), pair(3)])
        #expect(table.number(for: pair(1))?.number == numbers[0])
        #expect(table.number(for: pair(3))?.number == numbers[2])
        let thirdFound = table.number(for: pair(4))
        let new = try #require(thirdFound)
        #expect(new.number == numbers[1])
        #expect(new.isNew)
        #expect(table.number(for: pair(5)) == nil)
    }

    @Test func thereIsALimit() {
        #expect(PairTable(colorPairs: 65536).capacity == PairTable.limit)
        #expect(PairTable(colorPairs: 64).capacity == 63)
    }

    private func pair(_ foreground: Int32) -> ColorPair { ColorPair(foreground: foreground, background: -1) }
}
