import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { migrationPages } from '../../scripts/migration-tables.mjs';
import type { Migration } from '../../src/cli/migrate/migration.ts';
import { helmCommandsIn } from '../../src/cli/migrate/shell-commands.ts';
import { tshelm } from './harness.ts';

const folder = mkdtempSync(join(tmpdir(), 'tshelm-migrate-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function write(path: string, text: string): string {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), text);
  return join(folder, path);
}

test('the pages have the table that commands are judged by; npm run docs:migration writes it', () => {
  for (const [path, text] of migrationPages()) expect(readFileSync(path, 'utf8'), path).toBe(text);
});

describe('commands are found', () => {
  const found = (text: string) => helmCommandsIn(text).map(({ line, words }) => `${line} ${words.join('|')}`);

  test.each([
    ['a script', 'set -e\nhelm list -q\n', ['2 list|-q']],
    [
      'behind operators, assignments and words that run others',
      'A=1 sudo helm a && time helm b; if helm c; then helm d | tee x; fi',
      ['1 a', '1 b', '1 c', '1 d'],
    ],
    ['in a substitution', 'x=$(helm get values web)\necho `helm version`', ['1 get|values|web', '2 version']],
    [
      'around a substitution too',
      'helm a -n $(NS) --b\nhelm c -f <(helm d) --e\nhelm f `(x; y)` --g; helm h $((1+2)) $(i $(helm j)) --k',
      ['1 a|-n|$(NS)|--b', '2 c|-f|<(helm d)|--e', '2 d', '3 f|`(x; y)`|--g', '3 h|$((1+2))|$(i $(helm j))|--k', '3 j'],
    ],
    [
      'over lines',
      'helm upgrade web ./web \\\n  --set "a=b c" \\\n  --wait\nls',
      ['1 upgrade|web|./web|--set|a=b c|--wait'],
    ],
    [
      'in a list of YAML, and in a folded block',
      'script:\n  - helm list\n  - run: >\n      helm install a b\n      --wait\n',
      ['2 list', '4 install|a|b|--wait'],
    ],
    ['quoted in YAML', 'run: "helm list -n a"', ['1 list|-n|a']],
    [
      'an expression of GitHub is one word',
      `run: helm install \${{ inputs.name }} b`,
      ['1 install|${{ inputs.name }}|b'],
    ],
    ['a Makefile', '\t@$(HELM) list\n\t-helm lint\n', ['1 list', '2 lint']],
    ['a Dockerfile', 'RUN /usr/bin/helm list\nCMD ["helm", "version"]\n', ['1 list', '2 version']],
    ['a script in a word', `bash -c "helm list -q"\nsh 'helm lint a'`, ['1 list|-q', '2 lint|a']],
    [
      'no words of others',
      'echo "helm install a"\n# helm b\nname: helm-chart\ngrep helm x\ncurl https://get.helm.sh/helm.tgz\n',
      [],
    ],
    [
      'no names of steps, and no word alone',
      '- name: helm test\n  run: helm a\n- name: "helm b (of c)"\n- {displayName: helm d}\ndescription: helm e f\nkeywords:\n- helm\n- helmfile\n',
      ['2 a'],
    ],
    [
      'behind programs with flags of their own',
      'sudo -E helm a\nsudo -u jo -H helm b\nenv -i A=1 helm c\ntimeout -k 5 5m helm d\nls | xargs -n1 -I{} helm e {}\nsudo apt-get install helm',
      ['1 a', '2 b', '3 c', '4 d', '5 e|{}'],
    ],
    [
      'on another machine',
      `ssh h "helm a && helm b"\nssh -i key -p 22 jo@h 'sudo helm c'\nssh h helm d -n x\nssh helm\nssh helm uptime`,
      ['1 a', '1 b', '2 c', '3 d|-n|x'],
    ],
    [
      'in containers',
      [
        'docker run --rm -v $PWD:/w alpine/helm:3.17.0 a -n x',
        'podman run docker.io/alpine/helm b',
        'docker run --name helm -it dtzar/helm-kubectl:3 helm c',
        'docker run --entrypoint sh alpine/helm -c "helm d && helm e"',
        'kubectl exec -c helm web -- helm f',
        `docker exec web bash -c 'helm g'`,
        'docker run --name helm nginx',
        'docker build -t alpine/helm .',
      ].join('\n'),
      ['1 a|-n|x', '2 b', '3 c', '4 d', '4 e', '5 f', '6 g'],
    ],
    [
      'in flow style',
      [
        '- run: {command: helm a --set "b=c,d", name: Deploy}',
        'before_script: [helm lint a, "helm list -q"]',
        `script: ['helm c', 'helm d "e f"']`,
        '- [helm e, ls]',
        'args: ["helm", "upgrade", "a"]',
        '[[ -x helm ]] && helm f',
        '{ helm g; }',
      ].join('\n'),
      ['1 a|--set|b=c,d', '2 lint|a', '2 list|-q', '3 c', '3 d|e f', '4 e', '5 upgrade|a', '6 f', '7 g'],
    ],
    [
      'in a Jenkinsfile',
      `def a = sh(script: "helm list -q", returnStdout: true).trim()\nsh 'helm b'\nsh(returnStdout: true, script: 'helm c -o json')\nsh("helm d")`,
      ['1 list|-q', '2 b', '3 c|-o|json', '4 d'],
    ],
    [
      'but no functions of that name, and what they pass on',
      'helm() { command helm3 "$@"; }\nfunction helm () {\n  sudo helm4 $*\n}\nh() { helm list; }',
      ['5 list'],
    ],
    ['quotes that nothing closes', `helm install 'a`, ['1 install|a']],
    [
      'and what is behind them',
      `helm a 'b --c=d --e\nhelm f "g" "h --i; helm j`,
      ['1 a|b|--c=d|--e', '2 f|g|h|--i', '2 j'],
    ],
    ['and behind an apostrophe', `echo it's late && helm a --b`, ['1 a|--b']],
    ['quotes that a later line closes', `helm a --b "c\nd" --e\nhelm f`, ['1 a|--b|c\nd|--e', '3 f']],
    [
      'scripts in a word of several lines',
      `sh -c "\n  helm a\n  helm b --c" && helm d\nssh x 'helm e\n  helm f --g'\nhelm h 'i j' --k`,
      ['2 a', '3 b|--c', '3 d', '4 e', '5 f|--g', '6 h|i j|--k'],
    ],
    ['escaped quotes', `helm a it\\'s --b "c \\" d" --e`, [`1 a|it's|--b|c \\" d|--e`]],
  ])('%s', (_what, text, expected) => expect(found(text)).toEqual(expected));

  test.each([
    ['quotes', "'".repeat(200_001)],
    ['substitutions', '$(('.repeat(200_000)],
    ['substitutions in each other', `${'$('.repeat(100_000)}${')'.repeat(100_000)}`],
    ['variables', '${'.repeat(200_000)],
    ['runners', 'sudo -E '.repeat(100_000)],
    ['flow marks', '{['.repeat(100_000)],
    ['an expression', `x${'${{ a b }}'.repeat(20_000)}`],
  ])('many %s end', (_what, text) => expect(found(`helm list ${text}`).length).toBeGreaterThan(0));
});

test('a quote that nothing closes is said with its line, and hides no flags', async () => {
  const script = write('open.sh', 'set -e\nhelm upgrade web ./web \\\n  --set "a=b \\\n  --recreate-pods\nhelm list\n');
  const { stdout, code } = await tshelm(['migrate', script, '-o', 'json']);
  const [upgrade, list] = (JSON.parse(stdout) as Migration).lines;
  expect(code).toBe(2);
  expect(upgrade).toMatchObject({
    line: 2,
    findings: [{ what: '--recreate-pods' }, { verdict: 'unknown', what: '"' }],
  });
  expect(upgrade?.findings[1]?.here).toContain('line 3');
  expect(list).toMatchObject({ line: 5, findings: [] });
});

describe('lines are judged', () => {
  const judged = async (text: string, name = 'deploy.sh') => {
    const { stdout, code } = await tshelm(['migrate', write(name, text), '-o', 'json']);
    const { lines } = JSON.parse(stdout) as Migration;
    return {
      code,
      said: lines.map(({ verdict, findings }) => [verdict, ...findings.map(({ what }) => what)].join(' ')),
    };
  };

  test.each([
    [
      'helm plugin install https://github.com/aslafy-z/helm-git.git --version 1.4.0',
      'changes plugin install https://github.com/aslafy-z/helm-git.git',
      0,
    ],
    [
      'helm plugin install https://github.com/jkroepke/helm-secrets/releases/download/v4.7.0/secrets.tgz',
      'changes plugin install https://github.com/jkroepke/helm-secrets/releases/download/v4.7.0/secrets.tgz',
      0,
    ],
    [
      'helm plugin install https://github.com/databus23/helm-diff --verify=false',
      'works plugin install https://github.com/databus23/helm-diff',
      0,
    ],
    ['helm plugin install https://github.com/a/helm-gitty', 'changes plugin install', 0],
    ['helm upgrade --install web ./web -n prod --wait --timeout 5m', 'works', 0],
    ['helm upgrade web ./web --atomic', 'changes --atomic', 0],
    ['helm install web ./web --dry-run', 'changes --dry-run', 0],
    ['helm install web ./web --dry-run=server', 'works', 0],
    ['helm --kube-context a list -q', 'works', 0],
    ['helm list -qanprod', 'changes --all', 0],
    ['helm list --all', 'changes --all', 0],
    ['helm upgrade web ./web --recreate-pods', 'refused --recreate-pods', 2],
    ['helm upgrade web ./web --no-such-flag=x', 'refused --no-such-flag', 2],
    ['helm upgrade web ./web --set --atomic', 'works', 0],
    ['helm secrets upgrade web ./web -f secrets.yaml --atomic', 'changes --atomic', 0],
    ['helm secrets decrypt a.yaml', 'works', 0],
    ['helm secrets view a.yaml', 'unknown secrets view', 2],
    ['helm repo frobnicate a', 'unknown repo frobnicate', 2],
    ['helm dep up ./web && helm repo -n a ls', ['works', 'works'], 0],
    ['helm s3 push web-1.0.0.tgz s3', 'works s3', 0],
    ['helm cm-push web museum', 'works cm-push', 0],
    ['helm mapkubeapis web', 'works mapkubeapis', 0],
    ['- uses: azure/setup-helm@v4', 'changes azure/setup-helm', 0],
    ['- uses: Azure/setup-helm@v4.3.0', 'changes azure/setup-helm', 0],
    ['  uses: "helm/kind-action@v1"', 'works helm/kind-action', 0],
    ['uses: helm/chart-testing-action@v2', 'works helm/chart-testing-action', 0],
    ['uses: deliverybot/helm@v1', 'changes deliverybot/helm', 0],
    ['image: alpine/helm:3.17.0', 'changes alpine/helm', 0],
    ["image: {name: 'docker.io/dtzar/helm-kubectl:3', entrypoint: ['']}", 'changes dtzar/helm-kubectl', 0],
    ['FROM alpine/helm AS helm', 'changes alpine/helm', 0],
    ['  helm: circleci/helm@3.0.2', 'changes circleci/helm', 0],
    ['- helm/upgrade_helm_chart:', 'changes helm/upgrade-helm-chart', 0],
    ['      - helm/install-helm-client', 'changes helm/install-helm-client', 0],
    ['helm $COMMAND web', 'unknown $COMMAND', 2],
    ['helm registry login ghcr.io/me', 'refused registry login ghcr.io/me', 2],
    ['helm registry login ghcr.io', 'works', 0],
    ['helm plugin install ./p', 'changes plugin install', 0],
    ['helm plugin install ./p --verify=false', 'works', 0],
    ['export HELM_DRIVER=sql', 'refused HELM_DRIVER=sql', 2],
    ['helmfile -e prod apply --skip-deps', 'works', 0],
    ['helmfile apply --interactive', 'refused --interactive', 2],
    ['helmfile doctor', 'refused doctor', 2],
    ['helmfile delete --purge', 'refused delete', 2],
    ['helmfile apply --suppress-secrets', 'refused --suppress-secrets', 2],
    ['helmfile deps --skip-repos', 'works', 0],
    ['helmfile frobnicate', 'unknown frobnicate', 2],
    ['helm --help', 'works', 0],
  ])('%s', async (line, said, code) => expect(await judged(line)).toEqual({ code, said: [said].flat() }));

  test('keys of a helmfile.yaml, and of no other file', async () => {
    const text = 'releases:\n  - name: a\n    adopt: [x]\n    recreatePods: true\n';
    expect((await judged(text, 'helmfile.yaml')).said).toEqual(['refused adopt', 'refused recreatePods']);
    expect((await judged(text, 'values.yaml')).said).toEqual([]);
  });

  test('a folder: scripts by their names, no templates of charts, no links; secrets are masked', async () => {
    write('all/a/ci.yml', 'run: helm install a b --set auth.password=hunter22\n');
    write('all/chart/Chart.yaml', 'name: chart\n');
    write('all/chart/templates/x.yaml', 'helm list\n');
    write('all/notes.md', 'helm list\n');
    write('all/README.md.gotmpl', 'helm list\n');
    symlinkSync(join(folder, 'all'), join(folder, 'all/loop'));
    const { stdout, code } = await tshelm(['migrate', join(folder, 'all')]);
    expect(code).toBe(0);
    expect(stdout).toMatch(/a\/ci\.yml:1: helm install a b --set auth\.password=\*\*\*\n {2}works\n1 line in 2 files/);
    expect(stdout).not.toContain('hunter22');
  });

  test('what is not there', async () => {
    const { stderr, code } = await tshelm(['migrate', join(folder, 'nothing')]);
    expect([code, stderr]).toEqual([1, expect.stringContaining('no such file')]);
  });
});
