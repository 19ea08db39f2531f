// The files of a chart as the page holds them: texts by their paths; what is no text stays bytes.

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const encoder = new TextEncoder();

export const asText = (bytes) => {
  try {
    return decoder.decode(bytes);
  } catch {
    // No text: the page shows its size alone.
    return bytes;
  }
};

export const asBytes = (data) => (typeof data === 'string' ? encoder.encode(data) : data);

const chartYaml = 'apiVersion: v2\nname: playground\nversion: 0.1.0\n';

/** What the engine is asked for what the page holds: flags that may come several times stand in one field. */
export const questionOf = ({ files, set, apiVersions, ...rest }) => ({
  ...rest,
  files: filesForEngine(files),
  set: set === '' ? [] : [set],
  apiVersions: apiVersions.split(/[\s,]+/).filter((name) => name !== ''),
});

/** One template alone is a chart too. */
function filesForEngine(files) {
  const all = new Map([...files].map(([name, data]) => [name, asBytes(data)]));
  if (!all.has('Chart.yaml')) all.set('Chart.yaml', encoder.encode(chartYaml));
  return all;
}

/** The files that a user chose: a folder with a chart, or one packed chart, which `unpack` unpacks. */
export async function chosenFiles(chosen, unpack) {
  const files = [...chosen];
  if (files.length === 1 && /\.t(ar\.)?gz$/.test(files[0].name)) {
    const unpacked = await unpack(new Uint8Array(await files[0].arrayBuffer()));
    return new Map([...unpacked].map(([name, bytes]) => [name, asText(bytes)]));
  }
  const read = async (file) => [pathInChart(file), asText(new Uint8Array(await file.arrayBuffer()))];
  return new Map(await Promise.all(files.map(read)));
}

/** Below the folder that was chosen. */
const pathInChart = ({ webkitRelativePath, name }) =>
  webkitRelativePath ? webkitRelativePath.slice(webkitRelativePath.indexOf('/') + 1) : name;

/** Chart.yaml and values.yaml first, then templates, then the rest; each in the order of names. */
export const inOrder = (names) => [...names].sort((a, b) => rank(a) - rank(b) || (a < b ? -1 : 1));

const rank = (name) => {
  const first = ['Chart.yaml', 'values.yaml'].indexOf(name);
  if (first >= 0) return first;
  return name.startsWith('templates/') ? 2 : name.includes('/') ? 4 : 3;
};
