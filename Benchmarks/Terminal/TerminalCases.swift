/// Frames on a screen of 200 columns and 50 lines.
let terminalCases: [Case] = [
    oneRowFrameCase, oneRowBytesCase, fullFrameCase, commitToScreenCase, leastCommitToScreenCase,
    pausedCommitToScreenCase,
    changeSetToScreenCase,
    scrollCase, shownScrollCase, idleCase, animationCase,
]
