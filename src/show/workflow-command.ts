import { printable } from '../support/printable.ts';

export type CommandProperties = Readonly<Record<string, string | number | undefined>>;

/** A workflow command of GitHub Actions, `::error file=…,line=3::TEXT`: nothing in the text ends it or begins another. Without a newline. */
export function workflowCommand(name: string, properties: CommandProperties, data: string): string {
  const given = Object.entries(properties).filter(([, value]) => value !== undefined);
  const list = given.map(([key, value]) => `${key}=${escapedProperty(printable(String(value)))}`).join(',');
  return `::${name}${list === '' ? '' : ` ${list}`}::${escapedData(printable(data))}`;
}

/** As @actions/core escapes them. */
const escapedData = (text: string): string =>
  text.replaceAll('##[', '## [').replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
const escapedProperty = (text: string): string => escapedData(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
