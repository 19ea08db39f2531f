import type { UpgradeOptions } from '../../actions/options/upgrade.ts';
import type { TemplateOptions } from '../../actions/template.ts';
import type { RenderSettings } from '../../change/rendering/render.ts';
import type { UserRules } from '../../cluster/readiness.ts';
import type { GoMap } from '../../go/value.ts';
import type { Plan } from '../../plan/types.ts';
import type { PostRenderer } from '../../render/post-renderer.ts';
import type { PostRendererName } from '../post-renderer-name.ts';
import type { StackFile } from '../read-stack.ts';
import type { AddedValues } from '../release-values.ts';
import type { ReleaseSpec } from '../schema.ts';
import type { ChartTools } from './charts.ts';
import type { StackProgress } from './progress.ts';
import type { StackSession } from './session.ts';

/** What `helmDefaults.args` and its like say: words for Helm's command lines. Each fails with the line of the file. */
export interface HelmWords {
  upgrade(file: StackFile): { readonly options: Partial<UpgradeOptions> } & AddedValues;
  template(file: StackFile): ExtraTemplate;
  diff(file: StackFile): { readonly showSecrets?: boolean | undefined };
}

export interface ExtraTemplate extends AddedValues {
  readonly options: Partial<TemplateOptions>;
  readonly asksCluster: boolean;
}

export interface ReleaseInFile {
  readonly release: ReleaseSpec;
  readonly file: StackFile;
}

/** Works on a release; its failure names the places of its values. */
export async function withPlaces<T>(
  of: ReleaseInFile,
  { placed }: Pick<StackTools, 'placed'>,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (failure) {
    throw placed === undefined ? failure : placed(failure, of);
  }
}

/** What whoever works on a stack brings: the command line by its flags, a program by its options. */
export interface StackTools extends ChartTools {
  /** What the releases of a cluster are worked on with, in its own namespace; '' is the context that is current. */
  open(kubeContext: string): Promise<StackSession>;
  /** The values of a release with those that every release is given. */
  withGivenValues(values: GoMap): Promise<GoMap>;
  /** What a release's own post-renderer is, by its name. */
  postRendererNamed(name: PostRendererName, file: StackFile): PostRenderer;
  readonly rendering: RenderSettings;
  /** The rules of the run for when objects are ready. */
  readonly userRules?: UserRules | undefined;
  readonly words: HelmWords;
  /** The failure of a release with the places of its values. Default: as it is. */
  readonly placed?: ((failure: unknown, of: ReleaseInFile) => unknown) | undefined;
  /** Told of each plan whose Secrets are to stay hidden. */
  readonly onPlan?: ((plan: Plan) => void) | undefined;
  /** Ends the run: nothing more begins. */
  readonly signal?: AbortSignal | undefined;
  readonly progress: StackProgress;
}
