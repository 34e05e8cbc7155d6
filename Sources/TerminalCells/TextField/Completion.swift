/// Completion of the word before the cursor with Tab, as a value: names, emoji names, commands.
///
/// ```swift
/// var completion = Completion()
/// // Tab:
/// let isDone = completion.step(in: &field) { word, isFirst in names.filter { $0.hasPrefix(word) } }
/// // Any other key:
/// completion.reset()
/// ```
public struct Completion: Hashable, Sendable {
    /// The candidates, for display; empty while nothing is completed.
    public private(set) var candidates: [String] = []
    /// The index of the candidate in the text; nil if the word as it was typed is there.
    public private(set) var index: Int?
    /// The word as it was typed.
    private var word = ""
    /// Where it begins in the text.
    private var start = 0

    /// Creates a completion that has not begun.
    public init() {}

    /// Whether candidates are being stepped through.
    public var isActive: Bool { !candidates.isEmpty }

    /// Puts the next candidate into the text, after the last one the word as it was typed.
    ///
    /// `find` is called on the calling thread.
    ///
    /// - Parameters:
    ///   - backward: goes to the previous candidate.
    ///   - find: returns the candidates for the word before the cursor, which is not empty and begins at a blank or at the
    ///     start of the text; `isFirst` tells which. Called once for each word.
    /// - Returns: false if there is no word or no candidate.
    @discardableResult
    public mutating func step(
        in field: inout TextField, backward: Bool = false, find: (_ word: String, _ isFirst: Bool) -> [String]
    ) -> Bool {
        if !isActive {
            let before = field.characters[..<field.cursor]
            start = (before.lastIndex { $0.isWhitespace } ?? -1) + 1
            word = String(before[start...])
            guard !word.isEmpty else { return false }
            candidates = find(word, start == 0)
            guard isActive else { return false }
            index = nil
        }
        let places = candidates.count + 1
        let place = ((index ?? candidates.count) + (backward ? -1 : 1) + places) % places
        index = place < candidates.count ? place : nil
        field.replace(start..<field.cursor, with: index.map { candidates[$0] } ?? word)
        if candidates.count == 1, index != nil { reset() }
        return true
    }

    /// Ends the completion: call it for every key but Tab.
    public mutating func reset() { self = Completion() }
}
