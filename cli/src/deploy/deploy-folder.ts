import { WaitTimedOut, type CompletedUpload, type Deployment, type Lilac } from '@lilac/sdk';
import { GaveUp } from '../frame/gave-up.ts';
import { interruption } from '../frame/interrupted.ts';
import type { CommandRun } from '../frame/own-command.ts';
import { openLilac } from '../session/open-lilac.ts';
import type { LiveLine } from '../terminal/live-line.ts';
import { openLine } from '../terminal/open-line.ts';
import { plainText } from '../terminal/printable.ts';
import { chooseTarget, lookFrom, type Target } from './choose-target.ts';
import { followDeployment } from './follow-deployment.ts';
import { report, reportStarted, reportUnended } from './report.ts';
import { sendFolder, type Sending } from './send-folder.ts';
import { createApplication, deployExisting, type Started } from './start-deployment.ts';
import { takeBack } from './take-back.ts';
import { readWanted, type Wanted } from './wanted.ts';

/** A platform that is restarted is back by then. */
const RETRY_FOR_MS = 60_000;

export async function deployFolder(run: CommandRun): Promise<null> {
  const wanted = readWanted(run.body);
  const { root, context } = lookFrom(run, wanted.folder);
  const lilac = await openLilac(context, { retryForMs: RETRY_FOR_MS });
  // Nothing is made yet: whoever leaves now need not wait for an answer.
  const choosing = chooseTarget(context, lilac, { root, wanted });
  const target = await Promise.race([choosing, interruption(context.signal)]);
  using line = openLine(context);
  line.print(headline(target, root));
  const startedMs = Date.now();
  const started = await start(context, lilac, { line, root, target, wanted });
  if (!wanted.waits && !context.signal?.aborted) return await reportStarted(context, started);
  const deployment = await follow(context, lilac, { line, started, timeoutMs: wanted.timeoutMs });
  return await report(context, line, { lilac, started, deployment, tookMs: Date.now() - startedMs });
}

interface Starting {
  line: LiveLine;
  root: string;
  target: Target;
  wanted: Wanted;
}

async function start(context: CommandRun, lilac: Lilac, { line, root, target, wanted }: Starting): Promise<Started> {
  const { signal } = context;
  const { organisationId } = target;
  if (!target.isNew && target.application.source_type === 'vcs') return await deployExisting(lilac, target, null);
  const upload = await sendOrTell(lilac, line, { root, organisationId, signal });
  line.show(() => 'Starting the deployment');
  if (!target.isNew) return await deployExisting(lilac, target, upload);
  return await createApplication(context, lilac, { root, target, upload, settings: wanted.settings });
}

/** Whoever stops it now is told that nothing came of it. */
async function sendOrTell(lilac: Lilac, line: LiveLine, sending: Sending): Promise<CompletedUpload> {
  try {
    const upload = await sendFolder(lilac, line, sending);
    sending.signal?.throwIfAborted();
    return upload;
  } catch (error) {
    line.end();
    if (sending.signal?.aborted) line.print('Stopped. Nothing was deployed.');
    throw error;
  }
}

interface Following {
  line: LiveLine;
  started: Started;
  timeoutMs: number | undefined;
}

async function follow(context: CommandRun, lilac: Lilac, { line, started, timeoutMs }: Following): Promise<Deployment> {
  const { signal } = context;
  const { deploymentId, organisationId } = started;
  try {
    return await followDeployment(lilac, line, { deploymentId, organisationId, timeoutMs, signal });
  } catch (error) {
    if (signal?.aborted) await takeBack(lilac, line, started);
    if (!(error instanceof WaitTimedOut)) throw error;
    await reportUnended(context, lilac, started);
    throw new GaveUp(stillGoesOn(deploymentId));
  }
}

const stillGoesOn = (deploymentId: string) =>
  `The deployment takes longer than was to be waited for, and goes on. To see it: lilac deployments get ${deploymentId}`;

function headline(target: Target, root: string): string {
  if (target.isNew) return `Deploying ${plainText(root)} as a new application, "${plainText(target.name)}"`;
  const { application, environmentName } = target;
  const to = `"${plainText(application.name)}" (${plainText(environmentName)})`;
  if (application.source_type === 'upload') return `Deploying ${plainText(root)} to ${to}`;
  return `Deploying to ${to} from its repository ${plainText(application.vcs_repo_url ?? '')}: nothing of this folder is sent`;
}
