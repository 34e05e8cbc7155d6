import TerminalCells

extension InputParser {
    /// Parses ESC O and one more byte: arrows and keypad in application mode, F1 to F4.
    mutating func consumeSingleShift(_ byte: UInt8) {
        guard (0x20..<0x7F).contains(byte) else {
            // The user typed Alt-O and then something else.
            emit(.key(.character("O"), .alt))
            return begin(byte)
        }
        pending.append(byte)
        if let key = KeySequence.keypad(byte) {
            emit(.key(key))
        } else if let key = keys[pending] {
            emit(.key(key))
        } else {
            reset()
        }
    }

    /// Parses ESC [, parameters, intermediate characters, and a final one.
    mutating func consumeControl(_ byte: UInt8) {
        switch byte {
        case 0x20..<0x40: keep(byte)
        case UInt8(ascii: "[") where pending.count == 2: begin(.linuxFunction, with: byte)
        case UInt8(ascii: "M") where pending.count == 2: begin(.plainMouse, with: byte)
        case 0x40..<0x7F: endControl(byte)
        default: abandon(for: byte)
        }
    }

    mutating func consumeLinuxFunction(_ byte: UInt8) {
        guard (UInt8(ascii: "A")...UInt8(ascii: "E")).contains(byte) else { return abandon(for: byte) }
        emit(.key(.function(Int(byte - UInt8(ascii: "A")) + 1)))
    }

    mutating func consumePlainMouse(_ byte: UInt8) {
        pending.append(byte)
        guard pending.count == 6 else { return }
        let fields = pending.suffix(3).map { Int($0) - 32 }
        guard fields.allSatisfy({ $0 >= 0 }), fields[1] > 0, fields[2] > 0 else { return reset() }
        emit(mouse: MouseReport(code: fields[0], x: fields[1] - 1, y: fields[2] - 1, isRelease: fields[0] & 0b11 == 3))
    }

    private mutating func endControl(_ final: UInt8) {
        guard !isTooLong else { return reset() }
        pending.append(final)
        let sequence = ControlSequence(pending)
        switch (sequence.prefix, final) {
        case (UInt8(ascii: "<"), UInt8(ascii: "M")), (UInt8(ascii: "<"), UInt8(ascii: "m")):
            emitDecimalMouse(sequence)
        case (UInt8(ascii: "?"), UInt8(ascii: "y")):
            if let mode = sequence.number(0), let answer = sequence.number(1) { modeReports[mode] = answer }
            reset()
        case (UInt8(ascii: "?"), UInt8(ascii: "c")):
            abilities = Set((0..<32).compactMap { sequence.number($0) })
            reset()
        case (nil, UInt8(ascii: "R"))
        where sequence.number(0) == WholePictures.line && columns.count < WholePictures.sampleCount:
            columns.append(sequence.number(1) ?? 0)
            reset()
        case (nil, UInt8(ascii: "I")): emit(.focus(true))
        case (nil, UInt8(ascii: "O")): emit(.focus(false))
        case (nil, UInt8(ascii: "~")) where sequence.number(0) == 200: beginPaste()
        default: emitKey(sequence)
        }
    }

    private mutating func emitKey(_ sequence: ControlSequence) {
        if let (key, modifiers) = KeySequence.key(of: sequence) {
            emit(.key(key, modifiers))
        } else if let key = keys[pending] {
            emit(.key(key))
        } else {
            reset()
        }
    }

    private mutating func emitDecimalMouse(_ sequence: ControlSequence) {
        guard let code = sequence.number(0), let x = sequence.number(1), let y = sequence.number(2), x > 0, y > 0 else {
            return reset()
        }
        emit(mouse: MouseReport(code: code, x: x - 1, y: y - 1, isRelease: sequence.final == UInt8(ascii: "m")))
    }

    private mutating func emit(mouse report: MouseReport) {
        if let event = report.event { emit(.mouse(event)) } else { reset() }
    }
}
