/** What an element of a layout stands for; a zone element keeps its text, such as `Z07:00`. */
export type ElementKind =
  | 'long-month'
  | 'month'
  | 'number-month'
  | 'zero-month'
  | 'long-weekday'
  | 'weekday'
  | 'day'
  | 'space-day'
  | 'zero-day'
  | 'space-year-day'
  | 'zero-year-day'
  | 'hour'
  | 'hour12'
  | 'zero-hour12'
  | 'minute'
  | 'zero-minute'
  | 'second'
  | 'zero-second'
  | 'long-year'
  | 'year'
  | 'PM'
  | 'pm'
  | 'zone-name'
  | 'offset'
  | 'fraction-zeros'
  | 'fraction-nines';

export interface LayoutElement {
  /** The literal text before the element. */
  readonly prefix: string;
  /** Undefined at the end of the layout. */
  readonly kind: ElementKind | undefined;
  /** The element as the layout has it: `2006`, `.000`, `-07:00`. */
  readonly text: string;
}

const elementKinds: Readonly<Record<string, ElementKind>> = {
  January: 'long-month',
  Jan: 'month',
  '1': 'number-month',
  '01': 'zero-month',
  Monday: 'long-weekday',
  Mon: 'weekday',
  '2': 'day',
  _2: 'space-day',
  '02': 'zero-day',
  __2: 'space-year-day',
  '002': 'zero-year-day',
  '15': 'hour',
  '3': 'hour12',
  '03': 'zero-hour12',
  '4': 'minute',
  '04': 'zero-minute',
  '5': 'second',
  '05': 'zero-second',
  '2006': 'long-year',
  '06': 'year',
  PM: 'PM',
  pm: 'pm',
  MST: 'zone-name',
};

// "_2006" is an underscore and a year; "Jan" and "Mon" before a small letter are ordinary text.
const element = new RegExp(
  [
    'January|Jan(?![a-z])|Monday|Mon(?![a-z])|MST',
    '0[1-6]|002|15|1|2006|2|(?<=_)2006|_2(?!006)|__2|3|4|5|PM|pm',
    '[-Z]07(?:0000|:00:00|00|:00)?',
    '[.,](?:0+|9+)(?![0-9])',
  ].join('|'),
  'g',
);

const cutLayouts = new Map<string, readonly LayoutElement[]>();

/** A layout of Go's time package in its elements; the last one has no kind. */
export function layoutElements(layout: string): readonly LayoutElement[] {
  let elements = cutLayouts.get(layout);
  if (elements === undefined) {
    elements = cutLayout(layout);
    if (cutLayouts.size > 100) cutLayouts.clear();
    cutLayouts.set(layout, elements);
  }
  return elements;
}

function cutLayout(layout: string): LayoutElement[] {
  const elements: LayoutElement[] = [];
  let from = 0;
  for (const match of layout.matchAll(element)) {
    const [text] = match;
    elements.push({ prefix: layout.slice(from, match.index), kind: kindOf(text), text });
    from = match.index + text.length;
  }
  elements.push({ prefix: layout.slice(from), kind: undefined, text: '' });
  return elements;
}

function kindOf(text: string): ElementKind {
  if (/^[.,]/.test(text)) return text[1] === '0' ? 'fraction-zeros' : 'fraction-nines';
  return elementKinds[text] ?? 'offset';
}

export const monthNames = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
] as const;
export const weekdayNames = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'] as const;
