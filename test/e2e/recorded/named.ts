/** Where tshelm answers something else than Helm's packages, by the reason: `PACKAGE OPERATION TEST`. */
export const differences: Readonly<Record<string, readonly string[]>> = {
  'a pod that has ended in failure is not ready, and one that is not scheduled yet may be (docs/waiting.md)': [
    'cli-utils/pkg/kstatus/status status.Compute TestPodStatus',
  ],
  'the words of another library: OpenPGP.js, smol-toml': [
    'helm/internal/plugin provenance.Signatory.Verify TestVerifyPluginBadSignature',
    'helm/pkg/engine template TestFuncs',
  ],
  'one of its charts is linted with --skip-schema-validation, an option that a record cannot show': [
    'helm/pkg/action lint.RunAll TestLintChart',
    'helm/pkg/action rules.Templates TestLintChart',
  ],
  'the reader leaves it to its callers what it means that there is no file': [
    'helm/pkg/action v1.LoadFile TestPullRun_ChartNotFound',
    'helm/pkg/repo/v1 v1.LoadFile TestRepoNotExists',
  ],
  'asks for what no command can ask: nil, a chart without a name, the folder itself, a lock without a list': [
    'helm/pkg/chart/v2 v2.Chart.CRDObjects TestCRDObjects',
    'helm/pkg/chart/v2 v2.Metadata.Validate TestValidate',
    'helm/pkg/chart/v2/util util.Save TestRepeatableSave',
    'helm/pkg/chart/v2/util util.Save TestSave',
    'helm/pkg/ignore ignore.Rules.Ignore TestIgnore',
    'helm/pkg/strvals strvals.ParseJSON TestParseJSON',
  ],
  'the name of a Go type, which the caller replaces': ['helm/pkg/chart/v2/lint common.ReadValues TestBadValues'],
  'its tables stand in several places at once, and are written to while they are read': [
    'helm/pkg/chart/v2/util util.CoalesceTables TestProcessDependencyImportValues',
    'helm/pkg/chart/v2/util util.MergeTables TestProcessDependencyImportValues',
  ],
  "the test's own functions or cluster": [
    'helm/pkg/engine engine.Engine.RenderWithContext TestRenderCustomTemplateFuncs',
    'helm/pkg/engine engine.Engine.RenderWithContext TestRenderWithClientProvider',
    'helm/pkg/engine engine.Engine.RenderWithContext TestRenderWithClientProvider_error',
  ],
  'switches of the library that Helm leaves alone: IncludePrerelease, CoerceNewVersion': [
    'semver semver.Constraints.Check TestConstraintsCheckIncludePrerelease',
    'semver semver.Constraints.Validate TestConstraintsValidateIncludePrerelease',
    'semver semver.NewVersion TestNewVersionCheckError',
  ],
  'Helm takes env and expandenv out of Sprig, as tshelm does': [
    'sprig template TestEnv',
    'sprig template TestExpandEnv',
  ],
};
