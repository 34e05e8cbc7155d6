import Testing

@testable import AnimationLab

@Suite struct LabClockTests {
    @Test func slowTimeGoesOnFromWhereItIs() {
        var clock = LabClock(at: 10)
        clock.slowDown(at: 12)
        clock.slowDown(at: 12)
        #expect(clock.slowness == 4)
        #expect(clock.time(at: 12) == 12)
        #expect(clock.time(at: 16) == 13)
        #expect(clock.moment(of: 13) == 16)
        clock.speedUp(at: 16)
        #expect(clock.time(at: 18) == 14)
    }

    @Test func thereIsAFastestAndASlowest() {
        var clock = LabClock(at: 0)
        clock.speedUp(at: 0)
        #expect(clock.slowness == 1)
        for _ in 0..<9 { clock.slowDown(at: 0) }
        #expect(clock.slowness == 20)
    }

    @Test func stoppedTimeGoesOnByFrames() {
        var clock = LabClock(at: 0)
        clock.togglePause(at: 5)
        #expect(clock.time(at: 50) == 5 && clock.moment(of: 6) == nil)
        clock.nextFrame(at: 60)
        #expect(clock.time(at: 70) == 5 + LabClock.frame && clock.isPaused)
        clock.togglePause(at: 80)
        #expect(clock.time(at: 81) == 6 + LabClock.frame)
    }
}
