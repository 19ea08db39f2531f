import type { Context } from '../change/context.ts';
import type { ExecutionEvent } from '../execute/events.ts';
import { outside } from '../support/outside.ts';
import { type Operation, operation, toldEvent } from './operation.ts';
import { checkText } from './option-checks.ts';
import type {
  ApplyOptions,
  ApplyResult,
  CallOptions,
  ChartReference,
  InstallOptions,
  InstallResult,
  RollbackOptions,
  RollbackResult,
  TestOptions,
  TestResult,
  UninstallOptions,
  UninstallResult,
  UpgradeOptions,
  UpgradeResult,
} from './options.ts';
import { titledPlan } from './plans.ts';
import { releaseForPrograms } from './release.ts';
import { failureWithoutSecrets, toldWith } from './secrets.ts';
import { type Session, secretsOf } from './session.ts';
import { failureForPrograms, forPrograms } from './wording.ts';

/** The changes of releases, as operations. */

export const installed = (
  name: string,
  reference: ChartReference,
  options: InstallOptions,
  session: Session,
): Operation<InstallResult> =>
  running(session, name, options, async (own, context) => {
    const { install } = await outside(import('../actions/install.ts'));
    const { chart, values } = await outside(session.chartAndValues(reference, own));
    const { release, plan, warnings } = await install(chart, values, { ...own, name }, context);
    return {
      release: releaseForPrograms(release),
      plan: titledPlan(plan),
      warnings: warnings.map(toldWith(secretsOf(own))),
    };
  });

export const upgraded = (
  name: string,
  reference: ChartReference,
  options: UpgradeOptions,
  session: Session,
): Operation<UpgradeResult> =>
  running(session, name, options, async (own, context) => {
    const { upgrade } = await outside(import('../actions/upgrade.ts'));
    const { chart, values } = await outside(session.chartAndValues(reference, own));
    const { release, plan, warnings, isInstalled } = await upgrade(chart, values, { ...own, name }, context);
    return {
      release: releaseForPrograms(release),
      plan: titledPlan(plan),
      warnings: warnings.map(toldWith(secretsOf(own))),
      isInstalled,
    };
  });

export const rolledBack = (name: string, options: RollbackOptions, session: Session): Operation<RollbackResult> =>
  running(session, name, options, async (own, context) => {
    const { rollback } = await outside(import('../actions/rollback.ts'));
    const { release, plan } = await rollback({ ...own, name }, context);
    return { release: releaseForPrograms(release), plan: titledPlan(plan) };
  });

export const uninstalled = (name: string, options: UninstallOptions, session: Session): Operation<UninstallResult> =>
  running(session, name, options, async (own, context) => {
    const { uninstall } = await outside(import('../actions/uninstall.ts'));
    const { release, plan, info } = await uninstall({ ...own, name }, context);
    return { release: release && releaseForPrograms(release), plan: plan && titledPlan(plan), info: forPrograms(info) };
  });

export const tested = (name: string, options: TestOptions, session: Session): Operation<TestResult> =>
  running(session, name, options, async (own, context) => {
    const { testRelease } = await outside(import('../actions/test-release.ts'));
    const { release, plan, failure, logs } = await testRelease({ ...own, name }, context);
    return {
      release: releaseForPrograms(release),
      plan: titledPlan(plan),
      isPassed: failure === undefined,
      failure: failureForPrograms(failureWithoutSecrets(failure, secretsOf(own))),
      logs,
    };
  });

export const appliedPlan = (file: string, options: ApplyOptions, session: Session): Operation<ApplyResult> =>
  operation((tell: (event: ExecutionEvent) => void) =>
    session.changing(options, async (own) => {
      checkText('file', file);
      const { applied } = await outside(import('./saved-plan.ts'));
      return session.connection.during(() => applied(file, own, tell, session));
    }),
  );

const running = <Result, Options extends CallOptions>(
  session: Session,
  name: string,
  options: Options,
  work: (options: Options, context: Context) => Promise<Result>,
): Operation<Result> =>
  operation((tell: (event: ExecutionEvent) => void) =>
    session.changing(options, (own) => {
      checkText('name', name);
      return session.connection.during(async () =>
        work(own, await session.context(own, (event) => tell(toldEvent(event)))),
      );
    }),
  );
