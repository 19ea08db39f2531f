/** Days since 1970-01-01 of a date of the proleptic Gregorian calendar. Months and days beyond their range carry over. */
export function daysOfDate(year: number, month: number, day: number): number {
  const carried = year + Math.floor((month - 1) / 12);
  const inYear = modulo(month - 1, 12) + 1;
  const shifted = inYear > 2 ? carried : carried - 1;
  const era = Math.floor(shifted / 400);
  const yearOfEra = shifted - era * 400;
  const dayOfYear = Math.floor((153 * (inYear > 2 ? inYear - 3 : inYear + 9) + 2) / 5) + day - 1;
  const dayOfEra = yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear;
  return era * 146_097 + dayOfEra - 719_468;
}

export interface CivilDate {
  readonly year: number;
  /** 1 to 12. */
  readonly month: number;
  readonly day: number;
}

/** The date of a day, the way back from {@link daysOfDate}. */
export function dateOfDays(days: number): CivilDate {
  const shifted = days + 719_468;
  const era = Math.floor(shifted / 146_097);
  const dayOfEra = shifted - era * 146_097;
  const leapDays = Math.floor(dayOfEra / 1460) - Math.floor(dayOfEra / 36_524) + Math.floor(dayOfEra / 146_096);
  const yearOfEra = Math.floor((dayOfEra - leapDays) / 365);
  const dayOfYear = dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100));
  const monthFromMarch = Math.floor((5 * dayOfYear + 2) / 153);
  const month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9;
  const day = dayOfYear - Math.floor((153 * monthFromMarch + 2) / 5) + 1;
  return { year: yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, day };
}

/** 0 for Sunday. */
export const weekdayOf = (days: number): number => modulo(days + 4, 7);

/** 1 for the first of January. */
export const dayOfYear = (days: number): number => days - daysOfDate(dateOfDays(days).year, 1, 1) + 1;

export const isLeapYear = (year: number): boolean => year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);

export const daysInMonth = (year: number, month: number): number =>
  daysOfDate(year, month + 1, 1) - daysOfDate(year, month, 1);

const modulo = (value: number, by: number): number => ((value % by) + by) % by;
