import { quote } from '../go/strconv/strconv.ts';
import { decodeText } from '../go/text.ts';
import { GoError } from '../go/value.ts';
import { unreadable } from './assemble.ts';
import { readApiVersion } from './metadata.ts';

/** Refuses a chart of an apiVersion that nobody knows, before anything else of it is read. Throws GoError. */
export function checkApiVersion(chartYaml: Uint8Array): void {
  const version = apiVersionOf(chartYaml);
  if (version !== '' && version !== 'v1' && version !== 'v2')
    throw new GoError(`unsupported chart version: apiVersion is ${quote(version)}, but only v1 and v2 are known`);
}

function apiVersionOf(chartYaml: Uint8Array): string {
  try {
    return readApiVersion(decodeText(chartYaml));
  } catch (cause) {
    throw unreadable({ name: 'Chart.yaml', data: chartYaml }, cause);
  }
}
