import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll } from 'vitest';
import { openSandbox, type Sandbox } from '../../../src/sandbox/index.ts';

/** A sandbox that both programs can use, for what needs a kubelet; the environment that leads to it. */
export function sandboxServer(directory: string): Readonly<Record<string, string>> {
  const kubeconfig = join(directory, 'sandbox.kubeconfig');
  let sandbox: Sandbox | undefined;
  beforeAll(async () => {
    sandbox = await openSandbox({ directory: join(directory, 'sandbox') });
    writeFileSync(kubeconfig, sandbox.kubeconfig(), { mode: 0o600 });
  });
  afterAll(async () => sandbox?.close());
  return { KUBECONFIG: kubeconfig };
}
