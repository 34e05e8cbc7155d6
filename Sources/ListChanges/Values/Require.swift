/// Stops the program with a message if the caller broke a rule.
///
/// Unlike `precondition`, it prints the message in release builds too.
@inlinable
package func require(
    _ condition: @autoclosure () -> Bool, _ message: @autoclosure () -> String, file: StaticString = #fileID,
    line: UInt = #line
) {
    if !condition() { fatalError(message(), file: file, line: line) }
}
