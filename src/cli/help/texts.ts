/** What the help of a command says beyond its summary and its flags. */
export interface CommandText {
  /** One paragraph. */
  readonly about: string;
  /** Command lines; behind `#` what is not plain from the line itself. */
  readonly examples: readonly string[];
  /** The page of the documentation, with its heading where it has one of its own. */
  readonly more: string;
}

const charts = 'docs/charts.md';
const drift = 'docs/diff-and-drift.md';
const helm = 'docs/use.md';
const secrets = 'docs/secrets.md#encrypted-values-files';
const stacks = 'docs/stack.md';

/** Of each verb, its paragraph and its examples. */
const stackVerbs: Readonly<Record<string, readonly [about: string, ...examples: string[]]>> = {
  apply: [
    'Installs and upgrades the releases that change, each as soon as the releases it needs are ready, and uninstalls those that are no longer wanted.',
    'tshelm stack apply',
    'tshelm stack apply -e prod -l tier=backend',
    'tshelm stack apply --resume                     # go on after a failure',
  ],
  build: [
    'Prints the state with its templates rendered and its bases merged.',
    'tshelm stack build',
    'tshelm stack build -e prod',
    'tshelm stack build -f stacks/shop.yaml',
  ],
  check: [
    'Runs `tshelm check` over the charts of the releases with their values.',
    'tshelm stack check',
    'tshelm stack check -l name=shop',
    'tshelm stack check -e prod -o junit',
  ],
  dag: [
    'Prints the groups of releases that may run at the same time, and what each release needs.',
    'tshelm stack dag',
    'tshelm stack dag -e prod',
    'tshelm stack dag -o html > stack.html',
  ],
  deps: [
    'Updates the dependencies of charts in folders, and pins the versions of all other charts in helmfile.lock.',
    'tshelm stack deps',
    'tshelm stack deps --skip-repos',
    'tshelm stack deps -e prod',
  ],
  destroy: [
    'Uninstalls the releases, each after the releases that need it.',
    'tshelm stack destroy',
    'tshelm stack destroy -l name=shop',
    'tshelm stack destroy -e staging',
  ],
  diff: [
    'Shows what `apply` would change in the cluster.',
    'tshelm stack diff',
    'tshelm stack diff -e prod -l tier=backend',
    'tshelm stack diff -o markdown',
  ],
  drift: [
    'Compares the releases with the cluster, and shows who changed what.',
    'tshelm stack drift',
    'tshelm stack drift -e prod',
    'tshelm stack drift -l name=shop',
    'tshelm stack drift --fix --out fix.plan         # then: tshelm apply fix.plan',
  ],
  export: [
    'Prints the graph as jobs of GitLab CI, GitHub Actions or Argo Workflows.',
    'tshelm stack export --to gitlab-ci',
    'tshelm stack export --to github-actions',
    'tshelm stack export --to argo-workflows -e prod',
  ],
  fetch: [
    'Downloads the charts of the releases to a folder, for use without a network.',
    'tshelm stack fetch --output-dir charts',
    'tshelm stack fetch --output-dir charts --write-output > here.yaml',
    'tshelm stack fetch -l tier=backend --output-dir charts',
  ],
  lint: [
    'Runs `tshelm lint` over the charts of the releases with their values.',
    'tshelm stack lint',
    'tshelm stack lint -l name=shop',
    'tshelm stack lint -e prod',
  ],
  list: [
    'Lists the releases of the state files.',
    'tshelm stack list',
    'tshelm stack list --output json',
    'tshelm stack list -l tier=backend',
  ],
  plan: [
    'Shows what `apply` would do, release by release and object by object; --out saves it for `tshelm apply`.',
    'tshelm stack plan',
    'tshelm stack plan -e prod --exit-code',
    'tshelm stack plan --out stack.plan',
  ],
  rehearse: [
    'Runs the graph in sandboxes with simulated time, and shows how long it takes and what each failure would stop.',
    'tshelm stack rehearse',
    'tshelm stack rehearse -e prod',
    'tshelm stack rehearse -o html > stack.html',
  ],
  repos: [
    "Adds the repositories of the state files to Helm's list, and signs in to registries with a password.",
    'tshelm stack repos',
    'tshelm stack repos -e prod',
    'tshelm stack repos -f helmfile.d',
  ],
  status: [
    'Shows the status of each release.',
    'tshelm stack status',
    'tshelm stack status -e prod',
    'tshelm stack status -l name=shop',
  ],
  sync: [
    'Installs and upgrades all releases, each as soon as the releases it needs are ready.',
    'tshelm stack sync',
    'tshelm stack sync -e prod',
    'tshelm stack sync -l tier=backend --include-needs',
  ],
  template: [
    'Renders the charts of the releases.',
    'tshelm stack template',
    'tshelm stack template -l name=shop',
    'tshelm stack template --show-only templates/web.yaml',
  ],
  test: [
    'Runs the tests of the releases.',
    'tshelm stack test',
    'tshelm stack test -l name=shop',
    'tshelm stack test --logs',
  ],
  'write-values': [
    'Writes the values of each release to a file.',
    'tshelm stack write-values',
    'tshelm stack write-values -e prod',
    'tshelm stack write-values -l name=shop',
  ],
};

/** By the names behind the program's, all with one page. */
const stackTexts = (): Record<string, CommandText> =>
  Object.fromEntries(
    Object.entries(stackVerbs).map(([verb, [about, ...examples]]) => [
      `stack ${verb}`,
      { about, examples, more: stacks },
    ]),
  );

/** By the names of a command behind the program's: `repo add`. */
export const commandTexts: Readonly<Record<string, CommandText>> = {
  '': {
    about:
      'A Helm-compatible deploy tool for Kubernetes: the same charts, flags and release records; ordered, parallel, and clear about what went wrong.',
    examples: [
      'tshelm upgrade shop ./shop --install --wait=ordered',
      'tshelm plan shop ./shop                         # what that would do',
      'tshelm install shop ./shop --wait --sandbox     # without a cluster',
    ],
    more: helm,
  },
  adopt: {
    about:
      'Makes objects that are in the cluster part of a release, as its chart renders them. Their fields stay as they are until the next upgrade. A release that does not exist is recorded with these objects.',
    examples: [
      'tshelm adopt shop ./shop ConfigMap/settings Deployment/web',
      'tshelm adopt shop ./shop ConfigMap/settings --dry-run',
      'tshelm adopt shop ./shop ConfigMap/settings -f values.yaml --take-ownership',
    ],
    more: 'docs/moves.md#adopt-objects',
  },
  apply: {
    about:
      'Carries out a saved plan and nothing else. It refuses the plan if the cluster has changed since it was saved, if it has expired, or if it is unsigned although --verify-key requires a signature.',
    examples: [
      'tshelm apply shop.plan',
      'tshelm apply shop.plan --verify-key plans.pub',
      'tshelm apply stack.plan --progress plain',
    ],
    more: 'docs/saved-plans.md',
  },
  check: {
    about:
      'Renders charts and reports every fault that a cluster would refuse, all at once: unknown and missing fields, wrong types, broken references, policies. Each is reported with the line of the template and of the value that wrote it. No cluster is asked, except with --cluster.',
    examples: [
      'tshelm check ./shop -f prod.yaml',
      'tshelm check ./shop --kube-version 1.34,1.37    # what is gone or deprecated in these',
      'tshelm check ./shop -o sarif > shop.sarif       # for code scanning',
    ],
    more: 'docs/check.md',
  },
  completion: {
    about:
      'Prints the script with which a shell completes commands, flags, releases, charts and values. To load it in every new shell: bash: `tshelm completion bash > /etc/bash_completion.d/tshelm`; zsh: `tshelm completion zsh > "${fpath[1]}/_tshelm"`; fish: `tshelm completion fish > ~/.config/fish/completions/tshelm.fish`; PowerShell: `tshelm completion powershell >> $PROFILE`.',
    examples: [
      'source <(tshelm completion bash)                # in this shell only',
      'tshelm completion zsh > "${fpath[1]}/_tshelm"',
      'tshelm completion fish > ~/.config/fish/completions/tshelm.fish',
    ],
    more: `${helm}#completion`,
  },
  ...shellTexts(),
  config: {
    about:
      'Shows the defaults of flags, and the lines of the files that set them: tshelm.yaml of the project (the working directory or a folder above it, up to that of the repository), then that of the user ($XDG_CONFIG_HOME/tshelm/tshelm.yaml). Flags and environment variables come before both.',
    examples: ['tshelm config', 'tshelm config -o json', 'tshelm config -o yaml'],
    more: `${helm}#defaults-of-flags`,
  },
  create: {
    about:
      'Writes the folder of a new chart, as Helm does. With --starter ordered the chart has a database, a migration and a server that are deployed in order.',
    examples: [
      'tshelm create shop',
      'tshelm create shop --starter ordered',
      'tshelm create shop --starter ./our-starter',
    ],
    more: charts,
  },
  dag: {
    about:
      'Prints the batches in which --wait=ordered deploys a chart: what each waits for, and where that was declared. Nothing is sent to a cluster.',
    examples: ['tshelm dag ./shop', 'tshelm dag ./shop --order order.yaml', 'tshelm dag ./shop -o html > shop.html'],
    more: 'docs/ordering.md',
  },
  lsp: {
    about:
      'Serves an editor by the Language Server Protocol on standard input and output: what check finds while a chart is written, where values come from, completion, renaming, and the rendered object of a line. The editor starts and stops this command.',
    examples: ['tshelm lsp', 'tshelm lsp --kube-version 1.34'],
    more: 'docs/editor.md',
  },
  dependency: {
    about: 'Manages the charts that a chart depends on: those that its Chart.yaml lists, and that charts/ holds.',
    examples: ['tshelm dependency update ./shop', 'tshelm dependency build ./shop', 'tshelm dependency list ./shop'],
    more: charts,
  },
  'dependency build': {
    about:
      'Downloads exactly the versions that Chart.lock lists into charts/. Without a Chart.lock it updates, as Helm does.',
    examples: [
      'tshelm dependency build ./shop',
      'tshelm dependency build ./shop --skip-refresh',
      'tshelm dependency build ./shop --verify',
    ],
    more: charts,
  },
  'dependency list': {
    about: 'Lists the dependencies of a chart, and whether charts/ has each in a version that fits.',
    examples: [
      'tshelm dependency list ./shop',
      'tshelm dependency list ./shop --max-col-width 0',
      'tshelm dep ls ./shop',
    ],
    more: charts,
  },
  'dependency update': {
    about: 'Finds the newest versions that Chart.yaml allows, downloads them into charts/, and writes Chart.lock.',
    examples: [
      'tshelm dependency update ./shop',
      'tshelm dependency update ./shop --offline       # from the caches alone',
      'tshelm dependency update ./shop --verify --keyring ring.gpg',
    ],
    more: charts,
  },
  diff: {
    about:
      'Sends each object of an upgrade as a server-side dry run and prints what would change in the cluster. Nothing is stored. The subcommands compare recorded manifests instead, as the helm-diff plugin does.',
    examples: [
      'tshelm diff shop ./shop -f prod.yaml',
      'tshelm diff shop ./shop --exit-code             # 2 if there are changes',
      'tshelm diff revision shop 3 4',
    ],
    more: drift,
  },
  'diff release': {
    about: 'Compares the manifests of the newest revisions of two releases, as the helm-diff plugin does.',
    examples: [
      'tshelm diff release shop shop-canary',
      'tshelm diff release staging/shop prod/shop',
      'tshelm diff release shop shop-canary -o simple',
    ],
    more: drift,
  },
  'diff revision': {
    about: 'Compares the manifests of two revisions of a release, or of one and the newest.',
    examples: [
      'tshelm diff revision shop 2',
      'tshelm diff revision shop 2 5',
      'tshelm diff revision shop 2 5 --detailed-exitcode',
    ],
    more: drift,
  },
  'diff rollback': {
    about:
      'Shows what a rollback would change in the manifest of a release; with --live, what it would change in the cluster.',
    examples: ['tshelm diff rollback shop 2', 'tshelm diff rollback shop 2 --live', 'tshelm diff rollback shop 2 -C 3'],
    more: drift,
  },
  'diff upgrade': {
    about:
      'Shows what an upgrade would change in the manifest of a release, with the flags and the output of the helm-diff plugin. `tshelm diff RELEASE CHART` compares with the cluster instead.',
    examples: [
      'tshelm diff upgrade shop ./shop -f prod.yaml',
      'tshelm diff upgrade shop ./shop --allow-unreleased',
      'tshelm diff upgrade shop ./shop --detailed-exitcode -o simple',
    ],
    more: drift,
  },
  'diff values': {
    about:
      'Compares the default values of two versions of a chart: new, removed, renamed and changed ones, with their comments. With a release, its recorded chart is the old one, and changed defaults that the user overrides are listed separately.',
    examples: [
      'tshelm diff values shop ./shop',
      'tshelm diff values ./shop-1.0.0.tgz ./shop',
      'tshelm diff values shop acme/shop --version 2.0.0 -o markdown',
    ],
    more: drift,
  },
  'diff version': {
    about: 'Prints the version of the helm-diff plugin whose flags and output `tshelm diff` has.',
    examples: ['tshelm diff version'],
    more: drift,
  },
  doctor: {
    about:
      'Examines what a deploy depends on: the kubeconfig and who named it, the server and its clock, the rights that install, upgrade and waiting need, running and unfinished runs, logins, folders and variables. Nothing is changed. With a chart, its kinds are asked for. Exit code 1 if something keeps deploys from working.',
    examples: [
      'tshelm doctor',
      'tshelm doctor ./shop -n prod',
      'tshelm doctor ./shop --role > role.yaml         # the smallest Role for this chart',
    ],
    more: 'docs/troubleshooting.md#nothing-works-yet-doctor',
  },
  drift: {
    about:
      'Compares the objects in the cluster with those that the release recorded, and shows which fields differ, who changed them, and when. `--fix` brings them back.',
    examples: [
      'tshelm drift shop',
      'tshelm drift shop --exit-code                   # 2 if there is drift',
      'tshelm drift shop -o json',
      'tshelm drift shop --ignore Deployment/web:spec.replicas',
      'tshelm drift shop --fix --out fix.plan          # then: tshelm apply fix.plan',
    ],
    more: drift,
  },
  env: {
    about:
      'Prints the environment that commands run in, as Helm does: folders, namespace and cluster, or only the variable that you name.',
    examples: ['tshelm env', 'tshelm env HELM_NAMESPACE', 'tshelm env HELM_CACHE_HOME'],
    more: helm,
  },
  explain: {
    about:
      'Prints what a code in brackets means and what to do about it, or a page of the documentation as Markdown. Other words are searched for in all pages.',
    examples: [
      'tshelm explain image-not-found',
      'tshelm explain waiting | less',
      'tshelm explain ordering#7-hazards',
      'tshelm explain x509',
    ],
    more: 'docs/troubleshooting.md',
  },
  get: {
    about: 'Prints what the record of a release contains: values, manifest, hooks, notes, metadata.',
    examples: ['tshelm get values shop', 'tshelm get manifest shop --revision 2', 'tshelm get all shop -o json'],
    more: helm,
  },
  'get all': {
    about: 'Prints everything that the record of a release contains; with --template, the output of a Go template.',
    examples: [
      'tshelm get all shop',
      'tshelm get all shop --revision 2',
      "tshelm get all shop --template '{{.Release.Info.Status}}'",
    ],
    more: helm,
  },
  'get hooks': {
    about: 'Prints the hooks of a release as they were rendered.',
    examples: ['tshelm get hooks shop', 'tshelm get hooks shop --revision 2', 'tshelm get hooks shop -n prod'],
    more: helm,
  },
  'get manifest': {
    about: 'Prints the objects of a release as they were rendered, without its hooks.',
    examples: [
      'tshelm get manifest shop',
      'tshelm get manifest shop --revision 2',
      'tshelm get manifest shop | kubectl get -f -',
    ],
    more: helm,
  },
  'get metadata': {
    about: 'Prints the chart, version, revision, status and date of a release, and how its objects are applied.',
    examples: ['tshelm get metadata shop', 'tshelm get metadata shop -o json', 'tshelm get metadata shop --revision 2'],
    more: helm,
  },
  'get notes': {
    about: 'Prints the notes of a release.',
    examples: ['tshelm get notes shop', 'tshelm get notes shop --revision 2', 'tshelm get notes shop -n prod'],
    more: helm,
  },
  'get values': {
    about: 'Prints the values that the user gave to a release; with --all, those of the chart too.',
    examples: ['tshelm get values shop', 'tshelm get values shop --all', 'tshelm get values shop -o json --revision 2'],
    more: helm,
  },
  health: {
    about:
      'Shows which rule decides whether an object is ready, and what the rule says about the object. Objects come from the cluster or from a file.',
    examples: [
      'tshelm health deployment/web',
      'kubectl get rollout web -o yaml | tshelm health -',
      'tshelm health certificate/tls --health checks.yaml',
    ],
    more: 'docs/waiting.md#health-checks-of-your-own',
  },
  logs: {
    about:
      'Shows what the pods of a release write, each line after the name of its pod and container, for all workloads that the release has now. Secrets of the release are masked. While a release is deployed, `--logs` of install and upgrade shows the lines of the new revision.',
    examples: [
      'tshelm logs shop',
      'tshelm logs shop -f --since 5m -l Deployment/web',
      'tshelm logs shop -c app --tail -1 --previous',
    ],
    more: 'docs/use.md#what-the-pods-write',
  },
  history: {
    about: 'Lists the revisions of a release: when each was made, from which chart, and how it ended.',
    examples: ['tshelm history shop', 'tshelm history shop --max 5', 'tshelm history shop -o json'],
    more: helm,
  },
  images: {
    about: 'Lists the images of every container that a chart would run with these values.',
    examples: [
      'tshelm images ./shop',
      'tshelm images ./shop -f prod.yaml -o json',
      'tshelm images ./shop --resolve                  # with their digests',
      'tshelm images ./shop --pin --out pins.yaml      # values that replace tags by digests',
    ],
    more: charts,
  },
  install: {
    about:
      'Installs a chart as a new release. CHART is a folder, an archive, a URL, REPO/NAME, or oci://HOST/PATH. Without --wait, tshelm waits only for hooks, as Helm does; --wait=ordered deploys batch by batch, in the order that the chart declares.',
    examples: [
      'tshelm install shop ./shop -f prod.yaml --wait=ordered',
      'tshelm install shop oci://ghcr.io/acme/shop --version 1.2.0',
      'tshelm install shop ./shop --sandbox            # without a cluster',
    ],
    more: helm,
  },
  lint: {
    about:
      "Renders a chart and reports what is wrong with it in Helm's words; anything that only tshelm finds goes to standard error.",
    examples: ['tshelm lint ./shop', 'tshelm lint ./shop -f prod.yaml --strict', 'tshelm lint ./shop --with-subcharts'],
    more: 'docs/check.md',
  },
  list: {
    about: 'Lists the releases of a namespace, or with --all-namespaces those of the cluster.',
    examples: ['tshelm list', 'tshelm list --all-namespaces --failed', "tshelm list --filter '^shop' -o json"],
    more: helm,
  },
  order: {
    about: 'Works on order files. An order file declares the deploy order of a chart that declares none itself.',
    examples: [
      'tshelm order suggest ./shop',
      'tshelm order suggest ./shop > order.yaml',
      'tshelm install shop ./shop --order order.yaml',
    ],
    more: 'docs/order-guide.md',
  },
  'order suggest': {
    about:
      'Writes an order file from evidence in the rendered objects: hosts in environments, arguments and files, databases, migrations, init containers that wait. Each edge has a comment with its evidence. Give the name of the release if the values contain it. With --from-run, measured start times and restarts of a release count too.',
    examples: [
      'tshelm order suggest ./shop > order.yaml',
      'tshelm order suggest shop ./shop -f prod.yaml',
      'tshelm order suggest ./shop --from-run shop',
    ],
    more: 'docs/order-guide.md',
  },
  package: {
    about: 'Packs the folder of a chart into an archive, and signs it with --sign.',
    examples: [
      'tshelm package ./shop',
      'tshelm package ./shop --version 1.2.0 --destination dist',
      'tshelm package ./shop --sign --key me@acme.test --keyring ring.gpg',
      'tshelm package ./shop --sign=sigstore --key cosign.key',
    ],
    more: charts,
  },
  plan: {
    about:
      'Shows what an install or upgrade would do to each object, in the order in which it would happen. Each object is sent as a server-side dry run; nothing is stored. With a chart alone, or --offline, it shows the order without asking the cluster.',
    examples: [
      'tshelm plan shop ./shop -f prod.yaml --diff',
      'tshelm plan shop ./shop --out shop.plan         # save it, for tshelm apply shop.plan',
      'tshelm plan rollback shop 2',
    ],
    more: `${drift}#plan`,
  },
  'plan install': {
    about: 'Plans an install. `tshelm plan NAME CHART` finds out whether the release exists.',
    examples: ['tshelm plan install shop ./shop'],
    more: `${drift}#plan`,
  },
  'plan upgrade': {
    about: 'Plans an upgrade. `tshelm plan NAME CHART` finds out whether the release exists.',
    examples: ['tshelm plan upgrade shop ./shop'],
    more: `${drift}#plan`,
  },
  'plan rollback': {
    about: 'Shows what a rollback would do to each object, and in which order.',
    examples: [
      'tshelm plan rollback shop',
      'tshelm plan rollback shop 2 --diff',
      'tshelm plan rollback shop 2 --out shop.plan',
    ],
    more: `${drift}#plan`,
  },
  'plan release': {
    about:
      'Marks a saved plan as reviewed and ready to apply, signed with a key. `tshelm mcp` applies only such plans. Review the plan with `tshelm show-plan FILE` first.',
    examples: [
      'tshelm plan release shop.plan --sign-key release.key',
      'tshelm plan release shop.plan --sign-key release.key --verify-key plans.pub',
    ],
    more: 'docs/saved-plans.md#who-releases-it',
  },
  'plan uninstall': {
    about: 'Shows what an uninstall would delete and what it would keep, and in which order.',
    examples: [
      'tshelm plan uninstall shop',
      'tshelm plan uninstall shop -o json',
      'tshelm plan uninstall shop --out shop.plan',
    ],
    more: `${drift}#plan`,
  },
  mcp: {
    about:
      'Serves agents on standard input and output: tools that render, check, plan, diff, rehearse and diagnose, and with --release-key one that applies plans which a person or a policy has released. The cluster, the namespace and the folder of the files are those of this command.',
    examples: [
      'tshelm mcp --kube-context staging -n shop',
      'tshelm mcp --release-key release.pub',
      'tshelm mcp --sandbox',
    ],
    more: 'docs/mcp.md',
  },
  migrate: {
    about:
      'Reads scripts, Makefiles, Dockerfiles, CI files and helmfile.yaml, and reports for each line that calls helm or helmfile whether it works, what changes, and what to write instead. Nothing is run or changed. Exit code 2 if a line does not work or is not known.',
    examples: ['tshelm migrate .', 'tshelm migrate .github/workflows Makefile', 'tshelm migrate . -o json'],
    more: 'docs/from-helm-3.md#which-of-your-lines-work',
  },
  move: {
    about:
      'Makes objects of one release belong to another: both get a new revision, the objects keep their uid and their fields. Use it to split a chart without deleting anything. If a move is interrupted, run the same command again to finish it.',
    examples: [
      'tshelm move shop StatefulSet/db Service/db --to database',
      'tshelm move shop ConfigMap/settings --to config --dry-run',
      'tshelm move shop PersistentVolumeClaim/data --to storage -o json',
    ],
    more: 'docs/moves.md#move-objects',
  },
  plugin: {
    about: "Manages Helm's plugins. Those that Helm has installed work here too.",
    examples: [
      'tshelm plugin list',
      'tshelm plugin install https://github.com/acme/helm-thing',
      'tshelm plugin update thing',
    ],
    more: 'docs/from-helm-3.md',
  },
  'plugin install': {
    about: 'Installs a plugin from a folder, an archive, a git repository or a registry.',
    examples: [
      'tshelm plugin install ./thing',
      'tshelm plugin install https://github.com/acme/helm-thing --version 1.2.0',
      'tshelm plugin install oci://ghcr.io/acme/thing',
    ],
    more: 'docs/from-helm-3.md',
  },
  'plugin list': {
    about: 'Lists the installed plugins with their versions and types.',
    examples: ['tshelm plugin list', 'tshelm plugin list --type getter/v1', 'tshelm plugin ls'],
    more: 'docs/from-helm-3.md',
  },
  'plugin package': {
    about: 'Packs the folder of a plugin into an archive, signed unless --sign=false is given.',
    examples: [
      'tshelm plugin package ./thing',
      'tshelm plugin package ./thing --sign=false',
      'tshelm plugin package ./thing --destination dist',
    ],
    more: 'docs/from-helm-3.md',
  },
  'plugin uninstall': {
    about: 'Removes plugins.',
    examples: ['tshelm plugin uninstall thing', 'tshelm plugin uninstall thing other', 'tshelm plugin rm thing'],
    more: 'docs/from-helm-3.md',
  },
  'plugin update': {
    about: 'Updates plugins that were installed from a git repository.',
    examples: ['tshelm plugin update thing', 'tshelm plugin update thing other', 'tshelm plugin up thing'],
    more: 'docs/from-helm-3.md',
  },
  'plugin verify': {
    about: 'Checks the signature of a plugin against the keys of a keyring.',
    examples: [
      'tshelm plugin verify thing-1.0.0.tgz',
      'tshelm plugin verify thing-1.0.0.tgz --keyring ring.gpg',
      'tshelm plugin verify ./thing',
    ],
    more: 'docs/from-helm-3.md',
  },
  pull: {
    about: 'Downloads the archive of a chart, and unpacks it with --untar.',
    examples: [
      'tshelm pull oci://ghcr.io/acme/shop --version 1.2.0',
      'tshelm pull acme/shop --untar --untardir charts',
      'tshelm pull shop --repo https://charts.acme.test',
    ],
    more: charts,
  },
  push: {
    about: 'Uploads the archive of a chart to a registry, with its provenance file if there is one.',
    examples: [
      'tshelm push shop-1.2.0.tgz oci://ghcr.io/acme',
      'tshelm push shop-1.2.0.tgz oci://localhost:5000/charts --plain-http',
      'tshelm push shop-1.2.0.tgz oci://ghcr.io/acme --ca-file ca.pem',
    ],
    more: charts,
  },
  registry: {
    about: 'Logs in to and out of chart registries. tshelm also uses the logins of Docker.',
    examples: [
      'tshelm registry login ghcr.io -u me --password-stdin',
      'tshelm registry logout ghcr.io',
      'tshelm registry login localhost:5000 --plain-http',
    ],
    more: charts,
  },
  'registry login': {
    about: 'Checks a user name and password with a registry and stores them, in the credential store if there is one.',
    examples: [
      'tshelm registry login ghcr.io -u me --password-stdin < token',
      'tshelm registry login localhost:5000 --plain-http',
      'tshelm registry login registry.acme.test --ca-file ca.pem',
    ],
    more: charts,
  },
  'registry logout': {
    about: 'Deletes the login of a registry.',
    examples: [
      'tshelm registry logout ghcr.io',
      'tshelm registry logout localhost:5000',
      'tshelm registry logout registry.acme.test',
    ],
    more: charts,
  },
  rehearse: {
    about:
      'Deploys a chart in a sandbox with simulated time, and shows how long it takes, which path determines that time, and what a failure would stop. Durations can be assumed, or taken from a release.',
    examples: [
      'tshelm rehearse ./shop --assume deployment/web=40s',
      'tshelm rehearse ./shop --fail job/migrate',
      'tshelm rehearse ./shop --order order.yaml --compare',
    ],
    more: 'docs/rehearse.md',
  },
  rename: {
    about:
      'Gives a release another name, with its history, or moves its records to another namespace. No object is deleted or recreated. If a rename is interrupted, run the same command again to finish it.',
    examples: [
      'tshelm rename shop store',
      'tshelm rename shop store --dry-run',
      'tshelm rename monitoring monitoring --to-namespace ops   # the objects stay where they are',
    ],
    more: 'docs/moves.md#rename-a-release',
  },
  repo: {
    about: 'Manages the list of chart repositories.',
    examples: ['tshelm repo add acme https://charts.acme.test', 'tshelm repo update', 'tshelm repo list'],
    more: charts,
  },
  'repo add': {
    about: 'Adds a repository to the list after reading its index.',
    examples: [
      'tshelm repo add acme https://charts.acme.test',
      'tshelm repo add acme https://charts.acme.test --username me --password-stdin < token',
      'tshelm repo add acme https://charts.acme.test --force-update',
    ],
    more: charts,
  },
  'repo index': {
    about: 'Writes index.yaml for the archives of a folder.',
    examples: [
      'tshelm repo index dist',
      'tshelm repo index dist --url https://charts.acme.test',
      'tshelm repo index dist --merge index.yaml',
    ],
    more: charts,
  },
  'repo list': {
    about: 'Lists the repositories that were added.',
    examples: ['tshelm repo list', 'tshelm repo list -o json', 'tshelm repo ls'],
    more: charts,
  },
  'repo remove': {
    about: 'Removes repositories from the list.',
    examples: ['tshelm repo remove acme', 'tshelm repo remove acme other', 'tshelm repo rm acme'],
    more: charts,
  },
  'repo update': {
    about: 'Downloads the current indexes of the repositories.',
    examples: ['tshelm repo update', 'tshelm repo update acme', 'tshelm repo up'],
    more: charts,
  },
  rollback: {
    about:
      'Brings back an earlier revision of a release as a new revision; without REVISION, the one before the newest.',
    examples: ['tshelm rollback shop', 'tshelm rollback shop 2 --wait', 'tshelm rollback shop 2 --dry-run=server'],
    more: 'docs/recovery.md',
  },
  sandbox: {
    about:
      'Serves the sandbox, a simulated cluster, to kubectl, helm and other programs until you interrupt it. Other commands use the sandbox with --sandbox and do not need this server.',
    examples: [
      'tshelm sandbox --write-kubeconfig kubeconfig',
      'tshelm sandbox --port 8080',
      'tshelm install shop ./shop --sandbox',
    ],
    more: 'docs/sandbox.md',
  },
  'sandbox reset': {
    about: 'Deletes all objects and releases of the sandbox.',
    examples: ['tshelm sandbox reset', 'tshelm sandbox reset --sandbox-dir ./sandbox'],
    more: 'docs/sandbox.md',
  },
  search: {
    about:
      'Searches for charts in the repositories that were added, in the Artifact Hub, or for the versions of a chart in a registry.',
    examples: ['tshelm search repo shop', 'tshelm search hub shop', 'tshelm search oci://ghcr.io/acme/shop'],
    more: charts,
  },
  'search hub': {
    about: 'Searches the Artifact Hub, or another hub with --endpoint.',
    examples: [
      'tshelm search hub postgres',
      'tshelm search hub postgres --list-repo-url',
      'tshelm search hub postgres -o json',
    ],
    more: charts,
  },
  'search repo': {
    about: 'Searches the indexes of the repositories that were added; `tshelm repo update` updates them.',
    examples: [
      'tshelm search repo postgres',
      'tshelm search repo acme/shop --versions',
      "tshelm search repo shop --version '^1.0.0'",
    ],
    more: charts,
  },
  secrets: {
    about:
      'Encrypts, decrypts and edits files with the program sops, as the plugin helm-secrets does. Deploys do not need this command: -f and --set-file decrypt the files that they read.',
    examples: [
      'tshelm secrets encrypt -i secrets.yaml',
      'tshelm secrets edit secrets.yaml',
      'tshelm secrets decrypt secrets.yaml',
    ],
    more: secrets,
  },
  'secrets decrypt': {
    about: 'Prints the decrypted text of a file, or decrypts the file itself with --in-place.',
    examples: ['tshelm secrets decrypt secrets.yaml', 'tshelm secrets decrypt -i secrets.yaml'],
    more: secrets,
  },
  'secrets edit': {
    about: 'Decrypts a file, opens it in the editor ($EDITOR), and encrypts what you save.',
    examples: ['tshelm secrets edit secrets.yaml', 'EDITOR="code --wait" tshelm secrets edit prod/secrets.yaml'],
    more: secrets,
  },
  'secrets encrypt': {
    about:
      'Prints the encrypted text of a file, or encrypts the file itself with --in-place. The file .sops.yaml says which keys can decrypt it.',
    examples: ['tshelm secrets encrypt secrets.yaml > secrets.enc.yaml', 'tshelm secrets encrypt -i secrets.yaml'],
    more: secrets,
  },
  show: {
    about: 'Prints parts of a chart: its definition, values, README or CRDs.',
    examples: [
      'tshelm show values ./shop',
      'tshelm show chart acme/shop --version 1.2.0',
      'tshelm show readme oci://ghcr.io/acme/shop',
    ],
    more: charts,
  },
  'show all': {
    about: 'Prints the definition, the values, the README and the CRDs of a chart.',
    examples: [
      'tshelm show all ./shop',
      'tshelm show all acme/shop --version 1.2.0',
      'tshelm show all oci://ghcr.io/acme/shop',
    ],
    more: charts,
  },
  'show chart': {
    about: 'Prints the Chart.yaml of a chart.',
    examples: [
      'tshelm show chart ./shop',
      'tshelm show chart acme/shop --devel',
      'tshelm show chart oci://ghcr.io/acme/shop',
    ],
    more: charts,
  },
  'show crds': {
    about: 'Prints the CRDs of a chart.',
    examples: [
      'tshelm show crds ./shop',
      'tshelm show crds acme/shop --version 1.2.0',
      'tshelm show crds ./shop | kubectl diff -f -',
    ],
    more: charts,
  },
  'show readme': {
    about: 'Prints the README of a chart.',
    examples: [
      'tshelm show readme ./shop',
      'tshelm show readme acme/shop',
      'tshelm show readme oci://ghcr.io/acme/shop',
    ],
    more: charts,
  },
  'show values': {
    about: 'Prints the values.yaml of a chart, or the part that a JSONPath selects.',
    examples: [
      'tshelm show values ./shop > my-values.yaml',
      "tshelm show values ./shop --jsonpath '{.image.tag}'",
      'tshelm show values acme/shop --version 1.2.0',
    ],
    more: charts,
  },
  'show-plan': {
    about:
      'Shows a saved plan: what it does, for which cluster, who made it, when it expires, and whether its signature is valid.',
    examples: [
      'tshelm show-plan shop.plan',
      'tshelm show-plan shop.plan -o markdown',
      'tshelm show-plan shop.plan --verify-key plans.pub',
    ],
    more: 'docs/saved-plans.md',
  },
  stack: {
    about:
      'Deploys many releases as one graph, from a helmfile.yaml as helmfile reads it: each release as soon as the releases it needs are ready. Helm, helmfile and their plugins are not needed.',
    examples: ['tshelm stack diff', 'tshelm stack apply -e prod', 'tshelm stack sync -l tier=backend'],
    more: stacks,
  },
  ...stackTexts(),
  status: {
    about: 'Shows the newest revision of a release, its notes, and with --show-resources its objects.',
    examples: ['tshelm status shop', 'tshelm status shop --show-resources', 'tshelm status shop --revision 2 -o json'],
    more: helm,
  },
  template: {
    about:
      'Renders a chart and prints the objects, byte for byte as Helm does. It contacts no cluster, except with --validate or --dry-run=server.',
    examples: [
      'tshelm template shop ./shop -f prod.yaml',
      'tshelm template shop ./shop -s templates/deployment.yaml',
      'tshelm template shop ./shop --kube-version 1.34 --output-dir rendered',
    ],
    more: helm,
  },
  test: {
    about: 'Runs the tests of a release, the hooks `test` of its chart, and shows their logs with --logs.',
    examples: ['tshelm test shop --logs', 'tshelm test shop --filter name=smoke', 'tshelm test shop --timeout 10m'],
    more: helm,
  },
  unittest: {
    about:
      'Runs the test suites of charts, written as helm-unittest reads them: all assertions, snapshots, flags, reports and exit codes are the same. Where tshelm is called helm, an installed plugin of that name runs instead.',
    examples: [
      'tshelm unittest ./shop',
      "tshelm unittest ./shop -f 'tests/**/*_test.yaml' --strict",
      'tshelm unittest ./shop --update-snapshot',
      'tshelm unittest ./shop ./db -t JUnit -o report.xml',
      'tshelm unittest ./shop --coverage --watch',
    ],
    more: 'docs/unittest.md',
  },
  uninstall: {
    about:
      'Deletes the objects of releases and their records; with --wait it waits until they are gone. A release that was deployed in order is taken down in the reverse order.',
    examples: [
      'tshelm uninstall shop --wait',
      'tshelm uninstall shop --keep-history',
      'tshelm uninstall shop --dry-run',
    ],
    more: 'docs/recovery.md',
  },
  upgrade: {
    about:
      'Upgrades a release to a chart and values, or with --install installs it if it does not exist. Values that are not given come from the chart, as in Helm; --reuse-values and --reset-then-reuse-values keep those of the last revision.',
    examples: [
      'tshelm upgrade shop ./shop --install -f prod.yaml --wait=ordered',
      'tshelm upgrade shop ./shop --rollback-on-failure',
      'tshelm upgrade shop ./shop --skip-unchanged     # no new revision if nothing changes',
    ],
    more: helm,
  },
  verify: {
    about:
      'Checks the signature of an archive: its provenance file (PGP), or its cosign bundle with --verify=sigstore.',
    examples: [
      'tshelm verify shop-1.2.0.tgz',
      'tshelm verify shop-1.2.0.tgz --keyring ring.gpg',
      'tshelm verify shop-1.2.0.tgz --verify=sigstore --key cosign.pub',
    ],
    more: charts,
  },
  version: {
    about:
      "Prints the version of Helm that tshelm behaves like, in the format that programs expect from Helm. `tshelm --version` prints tshelm's own.",
    examples: ['tshelm version', 'tshelm version --short', 'tshelm --version'],
    more: helm,
  },
};

function shellTexts(): Record<string, CommandText> {
  const load = {
    bash: 'source <(tshelm completion bash)',
    fish: 'tshelm completion fish | source',
    powershell: 'tshelm completion powershell | Out-String | Invoke-Expression',
    zsh: 'source <(tshelm completion zsh)',
  };
  const install = {
    bash: 'tshelm completion bash > /etc/bash_completion.d/tshelm',
    fish: 'tshelm completion fish > ~/.config/fish/completions/tshelm.fish',
    powershell: 'tshelm completion powershell >> $PROFILE',
    zsh: 'tshelm completion zsh > "${fpath[1]}/_tshelm"',
  };
  return Object.fromEntries(
    (['bash', 'fish', 'powershell', 'zsh'] as const).map((shell) => [
      `completion ${shell}`,
      {
        about: `Prints the completion script for ${shell}. The first example loads it in this shell, the second in every new one.`,
        examples: [load[shell], install[shell], `tshelm completion ${shell} --no-descriptions`],
        more: `${helm}#completion`,
      },
    ]),
  );
}
