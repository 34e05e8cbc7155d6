/// The messages of people in the demo.
enum Phrases {
    static let questions = [
        "You there?", "Done coding yet??", "Which seed was it?", "Did the change-set hold?", "Lunch?",
        "Can you look at the flexible range again? The window should stay put when older rows come in above.",
        "Who deleted the \"Hi\"?", "Is it live on your side too?", "One more test?", "Coffee?",
        "Have you seen it slide? The whole section comes as one block.", "What does the log say?",
    ]

    static let answers = [
        "Almost. One test left.", "It passes here :)", "Yes!", "Seed 42, as always.", "Give me ten minutes.",
        "The rows before plus the changes are the rows after. Always.", "I only moved, I did not change.",
        "No idea, it was there a moment ago.", "Sure.", "Look at the roster, Eve is back.",
        "I pinned it to the end, with at most three hundred.", "Ha!", "Not before tea.",
        "The section above came and I kept my row. No one noticed, which is the point.",
    ]

    static let statuses = ["", "back in 10", "in a meeting", "on the phone", "lunch soon?", "reading the log", "tea"]
}
