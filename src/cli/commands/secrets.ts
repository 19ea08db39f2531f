import { resolve } from 'node:path';
import { Command } from 'commander';
import type { FlagSpec } from '../../change/option-rows.ts';
import type { SopsVerb } from '../../sops/program.ts';
import type { CliContext } from '../context.ts';
import { commandGroup, flagCommand, type GivenFlags } from '../flags/flag-command.ts';

const inPlaceFlag = {
  'in-place': { type: 'bool', short: 'i', description: 'change the file, instead of printing the outcome' },
} satisfies Record<string, FlagSpec>;

const decryptFlags = {
  ...inPlaceFlag,
  terraform: { type: 'bool', description: "print the outcome in base64 in JSON, for Terraform's data source external" },
} satisfies Record<string, FlagSpec>;

export interface SecretsRequest {
  readonly verb: SopsVerb;
  readonly file: string;
  readonly flags: Partial<GivenFlags<typeof decryptFlags>>;
}

/** The words of the plugin helm-secrets; files are encrypted and decrypted by the program sops alone. */
export const command = (context: CliContext, run = runSecrets): Command => {
  const verb = (name: SopsVerb, specs: Partial<typeof decryptFlags>, description: string): Command =>
    flagCommand(name, specs, { usage: 'FILE [flags]', words: { exactly: 1 } }, ([file = ''], flags) =>
      run({ verb: name, file, flags }, context),
    ).description(description);
  return commandGroup(
    'secrets',
    'encrypt, decrypt and edit files of values with sops',
    [
      verb('encrypt', inPlaceFlag, 'print a file as sops encrypts it'),
      verb('decrypt', decryptFlags, 'print a file that sops encrypted in plain'),
      verb('edit', {}, 'open a file that sops encrypted in the editor, and encrypt it again'),
    ],
    context,
  );
};

async function runSecrets({ verb, file, flags }: SecretsRequest, { io }: CliContext): Promise<void> {
  const { runSopsOn } = await import('../../sops/program.ts');
  const { terraform = false, inPlace = false } = flags;
  const call = { path: resolve(io.cwd, file), env: { ...io.env }, inPlace: inPlace && !terraform };
  const { stdout, stderr } = await runSopsOn(verb, call);
  if (stderr !== '') io.stderr.write(stderr);
  if (!terraform) return io.stdout.write(stdout);
  const { encodeText } = await import('../../go/text.ts');
  io.stdout.write(JSON.stringify({ content_base64: Buffer.from(encodeText(stdout)).toString('base64') }));
}
