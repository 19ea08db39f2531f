import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { bareClient } from './bare-client.mjs';
import { accessOf, configMapChart } from './deploying.mjs';
import { inTurns, median, printTable, sorted, timeOnce } from './timing.mjs';

/** So many has a cluster on which the Crossplane providers of the large clouds are installed whole, about 12 in a group. */
const crdCount = 1_872;
const kindsOfAGroup = 12;
const rounds = 9;
const goalMs = 300;
const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';

/**
 * What discovery costs where very many kinds are served: installs before and after 1,872 CRDs came, beside Helm, on a
 * control plane of its own, whose programs are where Helm's is (test/e2e/control-plane; its first port is
 * $TSHELM_BENCH_PORT).
 */
export async function crowded({ root, tshelm, helm }) {
  if (helm === undefined || !existsSync(join(dirname(helm), 'kube-apiserver')))
    return console.log('\n(crowded: needs the programs that npm run test:e2e builds)');
  const folder = mkdtempSync(join(tmpdir(), 'tshelm-bench-'));
  const [plane, scripts] = [join(folder, 'plane'), join(root, 'test/e2e/control-plane')];
  const port = process.env.TSHELM_BENCH_PORT ?? '17443';
  try {
    timeOnce({ command: 'bash', args: [join(scripts, 'up.sh'), dirname(helm), plane, port] });
    await measure({
      kubeconfig: join(plane, 'kubeconfig'),
      chart: configMapChart(join(folder, 'maps'), 1),
      tshelm,
      helm,
    });
  } finally {
    spawnSync('bash', [join(scripts, 'down.sh'), plane]);
    rmSync(folder, { recursive: true, force: true });
  }
}

async function measure({ kubeconfig, chart, tshelm, helm }) {
  const { server, token } = accessOf(kubeconfig);
  const tools = [
    { name: 'helm', command: helm, args: [] },
    { name: 'tshelm', command: process.execPath, args: [tshelm] },
  ].map((tool) => ({ ...tool, env: { KUBECONFIG: kubeconfig } }));
  const empty = installs('of one ConfigMap on an empty cluster', tools, chart);
  const client = bareClient(server, token);
  await client.inTurn([...Array(crdCount).keys()], (number) => client.send('POST', definitions, { body: crd(number) }));
  await untilServed(client);
  client.close();
  const full = installs(`of one ConfigMap beside ${crdCount} CRDs`, tools, chart);
  const moreMs = full[1] - empty[1];
  console.log(`\ncrowded: ${moreMs.toFixed(0)} ms more, at most ${goalMs}: ${moreMs <= goalMs ? 'yes' : 'NO'}`);
  console.log(`crowded: requests of discovery: ${discoveriesOf(tools[1], chart).join(', ')}`);
}

/** The medians, of each tool. */
function installs(title, tools, chart) {
  const times = tools.map(() => []);
  for (let round = 0; round < rounds; round++) {
    for (const [index, tool] of inTurns(tools, round)) {
      const call = (...words) => timeOnce({ ...tool, args: [...tool.args, ...words] });
      times[index].push(call('install', 'bench', chart));
      call('uninstall', 'bench');
    }
  }
  printTable(
    `crowded: install ${title}`,
    tools.map(({ name }, index) => ({ name, times: sorted(times[index]) })),
  );
  return times.map((list) => median(sorted(list)));
}

function discoveriesOf({ command, args, env }, chart) {
  const words = ['install', 'bench', chart, '--dry-run=server', '--debug'];
  const { stderr } = spawnSync(command, [...args, ...words], { env: { ...process.env, ...env }, encoding: 'utf8' });
  return [...stderr.matchAll(/GET (\/apis?(?:\/[^/\s]+(?:\/v\w+)?)?) /g)].map(([, path]) => path);
}

/** The first and the last come with the others: the API server's answer grows for a while. */
async function untilServed({ send }) {
  const accept = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';
  for (let served = 0; served < crdCount; ) {
    await new Promise((resolve) => setTimeout(resolve, 500));
    const { text } = await send('GET', '/apis', { accept });
    served = text.split('"resource":"bench').length - 1;
  }
}

function crd(number) {
  const group = `group${Math.floor(number / kindsOfAGroup)}.providers.example.com`;
  const names = {
    kind: `Bench${number}`,
    singular: `bench${number}`,
    plural: `bench${number}s`,
    categories: ['managed'],
  };
  const schema = { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } };
  const version = { name: 'v1beta1', served: true, storage: true, subresources: { status: {} }, schema };
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${names.plural}.${group}` },
    spec: { group, names, scope: 'Cluster', versions: [version] },
  };
}
