/// A day of the proleptic Gregorian calendar.
struct CivilDate {
    let year: Int
    let month: Int
    let day: Int
}

/// Years begin in March here, so that the leap day is the last day of its year.
extension CivilDate {
    private static let daysOf400Years = 146_097
    /// The days from 1 March of the year 0 to 1 January 2001.
    private static let daysTo2001 = 730_791

    init(daysSince2001 days: Int) {
        let days = days + Self.daysTo2001
        let era = days >= 0 ? days / Self.daysOf400Years : (days - Self.daysOf400Years + 1) / Self.daysOf400Years
        let dayOfEra = days - era * Self.daysOf400Years
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
        month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
        year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    }

    var daysSince2001: Int {
        let year = month <= 2 ? self.year - 1 : self.year
        let era = year >= 0 ? year / 400 : (year - 399) / 400
        let yearOfEra = year - era * 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        return era * Self.daysOf400Years + dayOfEra - Self.daysTo2001
    }
}
