import { writeYaml, YamlError } from '../yaml/index.ts';
import { fileText } from './file-text.ts';
import { metadataValue, withoutOwnFields } from './metadata-value.ts';
import type { Chart } from './types.ts';

/**
 * Whether a chart's Chart.yaml is, byte for byte, what Helm makes of it when it packages the chart: only then can it have
 * dropped something. Who writes the same by hand cannot be told from it. Dependencies in requirements.yaml, as charts of
 * apiVersion v1 have them, are never written anew.
 */
export function isWrittenByHelm(chart: Chart): boolean {
  try {
    return fileText(chart, 'Chart.yaml') === writeYaml(metadataValue(withoutOwnFields(chart.metadata)));
  } catch (error) {
    // Helm cannot write control characters either.
    if (error instanceof YamlError) return false;
    throw error;
  }
}
