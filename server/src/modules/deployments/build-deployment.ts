import {
  BuildFailed,
  type Builder,
  type BuildHooks,
  type BuildRequest,
  type BuiltArtifact,
} from '../../build/builder.ts';
import { PlanRefused } from '../../build/plan.ts';
import type { Store } from '../../db/pool.ts';
import type { JobContext } from '../../jobs/job.ts';
import { JobStopped } from '../../jobs/outcome.ts';
import { describeFiles } from '../../lib/describe-files.ts';
import { Fault } from '../../lib/fault.ts';
import { HostUnavailable } from '../../vcs/vcs-host.ts';
import { readLinkedAddresses } from '../databases/links/linked-addresses.ts';
import { openVariables } from '../environments/variables.ts';
import { createBuildLog, type BuildLog } from './build-log.ts';
import { beginBuild, failBuild, handOver, noteProgress, type Handed } from './build-progress.ts';
import { buildRequestOf, type BuildSubject, type RequestDeps } from './build-subject.ts';
import { runSpecOf } from './run-spec-of.ts';
import { tellStages } from './tell-stages.ts';
import { sealSnapshot } from './variables-snapshot.ts';

export interface BuildDeps extends RequestDeps {
  store: Pick<Store, 'db'>;
  builder: Pick<Builder, 'build'>;
}

/**
 * Makes an artifact of the deployment's source, and hands it over to be released. May be run again from
 * the start at any time. A project that cannot be built ends the deployment, not the job.
 */
export async function buildDeployment(deps: BuildDeps, deploymentId: string, context: JobContext): Promise<void> {
  const { db } = deps.store;
  const subject = await beginBuild(db, deploymentId, context);
  if (!subject) return;
  const log = createBuildLog({ db, deploymentId, log: context.log });
  try {
    if (subject.isAgain) log.note('The build was interrupted. It starts again from the beginning.');
    const addresses = await readLinkedAddresses(db, deps, subject.databaseLinks);
    const request = await buildRequestOf(deps, subject, addresses);
    const artifact = await build(deps, { subject, request }, { log, context });
    await log.flush();
    await handOver(db, { deploymentId, context, ...handedOf(deps, { subject, artifact }) });
  } catch (error) {
    const message = reasonOf(deps, error, context.signal);
    log.note(message);
    await log.flush();
    await failBuild(db, { deploymentId, message, context });
  } finally {
    await log.close();
  }
}

async function build(
  deps: BuildDeps,
  { subject, request }: { subject: BuildSubject; request: BuildRequest },
  { log, context }: { log: BuildLog; context: JobContext },
): Promise<BuiltArtifact> {
  const { db } = deps.store;
  const { deployment, application } = subject;
  const stages = tellStages(log);
  const note = noteProgress(db, { deploymentId: deployment.id, applicationId: application.id, context });
  const hooks: BuildHooks = {
    signal: context.signal,
    onLine: (line) => log.line(line),
    onUnread: (line) => log.unread(line),
    async onStage(stage) {
      stages.begin(stage);
      await note.stage(stage);
    },
    onCommit: (commit) => note.commit(commit),
    onPlan: (plan) => note.plan(plan),
  };
  const artifact = await deps.builder.build(request, hooks);
  stages.end(`${describeFiles(artifact.fileCount, artifact.size)},`);
  log.note('Releasing');
  return artifact;
}

/**
 * Its instances get what its build got: sizes and variables that are changed later are for the next one. Of
 * databases they get the addresses when they start, since passwords change.
 */
function handedOf(
  { keyring }: BuildDeps,
  { subject, artifact }: { subject: BuildSubject; artifact: BuiltArtifact },
): Handed {
  const { artifactId, run } = artifact;
  if (!run) return { artifactId, run: null, variables: null, databaseLinks: {} };
  const { deployment, environment, databaseLinks } = subject;
  const variables = sealSnapshot(keyring, deployment.id, openVariables(keyring, environment));
  return { artifactId, run: runSpecOf(run, subject), variables, databaseLinks };
}

const toldToPeople = [BuildFailed, PlanRefused, Fault, HostUnavailable];

/**
 * What the deployment failed of. Whatever is not the project's fault, or its time limit, is thrown on: the job's
 * business.
 */
function reasonOf({ config }: BuildDeps, error: unknown, signal: AbortSignal): string {
  if (signal.aborted) {
    const isOverdue = signal.reason instanceof JobStopped && signal.reason.reason === 'overdue';
    if (isOverdue) return `The build took longer than ${config.builds.timeoutMinutes} minutes and was stopped.`;
    throw error;
  }
  if (toldToPeople.some((kind) => error instanceof kind)) return (error as Error).message;
  throw error;
}
