import Glibc
import Testing

@testable import FileEngine

@Suite struct StandardErrorTests {
    /// A line on a screen that a program draws would stay there.
    @Test func aTerminalThatAProgramDrawsOnIsLeftAlone() throws {
        var (controller, device): (Int32, Int32) = (-1, -1)
        try #require(openpty(&controller, &device, nil, nil, nil) == 0)
        defer { for descriptor in [controller, device] { close(descriptor) } }
        #expect(!StandardError.isDrawnOn(device))
        var settings = termios()
        try #require(tcgetattr(device, &settings) == 0)
        let shell = settings
        cfmakeraw(&settings)
        try #require(tcsetattr(device, TCSANOW, &settings) == 0)
        #expect(StandardError.isDrawnOn(device))
        settings = shell
        try #require(tcsetattr(device, TCSANOW, &settings) == 0)
        #expect(!StandardError.isDrawnOn(device))
    }

    @Test func whatIsNoTerminalTakesAllLines() throws {
        var ends: [Int32] = [-1, -1]
        try #require(pipe(&ends) == 0)
        defer { for descriptor in ends { close(descriptor) } }
        #expect(!StandardError.isDrawnOn(ends[1]) && !StandardError.isDrawnOn(-1))
    }
}
