/// The modes that a program's bytes have left switched on in a terminal.
struct ModeTrace {
    private(set) var privateModes: Set<Int> = []
    private(set) var isKeypadApplication = false
    /// SGR parameters since the last reset.
    private(set) var attributes: [String] = []

    init(_ bytes: [UInt8]) {
        let text = String(decoding: bytes, as: UTF8.self)
        for match in text.matches(of: /\u{1B}(?:\[(\??)([0-9;]*)([A-Za-z])|([=>]))/) {
            let numbers = (match.2 ?? "").split(separator: ";").compactMap { Int($0) }
            switch (match.1, match.3, match.4) {
            case ("?", "h", _): privateModes.formUnion(numbers)
            case ("?", "l", _): privateModes.subtract(numbers)
            case ("", "m", _):
                attributes = ["", "0"].contains(match.2 ?? "") ? [] : attributes + [String(match.2 ?? "")]
            case (_, _, "="): isKeypadApplication = true
            case (_, _, ">"): isKeypadApplication = false
            default: break
            }
        }
    }

    /// A fresh terminal shows its cursor and wraps its lines; nothing else is on.
    var isFresh: Bool {
        privateModes.subtracting([7, 25]).isEmpty && privateModes.contains(25) && !isKeypadApplication
            && attributes.allSatisfy { $0 == "39;49" }
    }
}
