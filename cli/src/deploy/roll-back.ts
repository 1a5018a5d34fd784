import type { Lilac, Output } from '@lilac/sdk';
import { GaveUp } from '../frame/gave-up.ts';
import { interruption } from '../frame/interrupted.ts';
import type { CommandRun } from '../frame/own-command.ts';
import { resolveEnvironment } from '../link/resolve-target.ts';
import { chooseOrganisation } from '../session/choose-organisation.ts';
import { openLilac } from '../session/open-lilac.ts';
import { canAsk, confirm } from '../terminal/ask.ts';
import { openLine } from '../terminal/open-line.ts';
import { describeDeployment } from './describe-deployment.ts';
import { followDeployment } from './follow-deployment.ts';
import { report, reportStarted } from './report.ts';
import { servedBefore } from './served-before.ts';
import type { Started } from './start-deployment.ts';
import { takeBack } from './take-back.ts';

type Listed = Output<'deployments.list'>[number];

interface Wanted {
  deployment?: string;
  app?: string;
  yes?: boolean;
  wait?: boolean;
}

/** Serves an earlier deployment again, and waits until it is. */
export async function rollBack(run: CommandRun): Promise<null> {
  const { wait = true, ...wanted } = run.body as Wanted;
  const lilac = await openLilac(run);
  // Nothing is changed yet: whoever leaves now need not wait for an answer.
  const { started, before } = await Promise.race([choose(run, lilac, wanted), interruption(run.signal)]);
  const startedMs = Date.now();
  const { organisationId: targetOrganisationId, environmentId, deploymentId } = started;
  await lilac.call('deployments.rollback', { body: { targetOrganisationId, environmentId, deploymentId } });
  return wait ? await follow(run, lilac, { started, before, startedMs }) : await reportStarted(run, started);
}

/** What is to be served, as soon as somebody who can be asked agrees. */
async function choose(
  run: CommandRun,
  lilac: Lilac,
  { deployment: named, app, yes = false }: Wanted,
): Promise<{ started: Started; before: string | null }> {
  const target = await findTarget(run, lilac, { named, app });
  const { environmentId } = target;
  const body = { targetOrganisationId: target.organisationId, environmentId };
  const all = await lilac.call('deployments.list', { body: { ...body, limit: 100 } });
  const live = all.find(({ is_live: isLive }) => isLive) ?? null;
  const chosen = named === undefined ? oneBefore(all) : all.find(({ id }) => id === named);
  if (!chosen) throw new GaveUp(`${named} is no longer kept. "lilac deployments" shows those there are.`);
  const { url } = await lilac.call('environments.get', { body });
  run.complain(
    `To be served again: ${describeDeployment(chosen)}\n${live ? `Served now:         ${describeDeployment(live)}\n` : ''}`,
  );
  if (!yes && canAsk(run) && !(await confirm(run, 'Go on?'))) throw new GaveUp('Nothing was changed.');
  const started = { ...target, applicationName: '', deploymentId: chosen.id, url, unlink: null };
  return { started, before: live?.id ?? null };
}

/** A deployment knows its environment; else it is the linked or the named one. */
async function findTarget(run: CommandRun, lilac: Lilac, { named, app }: { named?: string; app?: string }) {
  if (named === undefined || app !== undefined) return await resolveEnvironment(run, lilac, app);
  const organisationId = await chooseOrganisation(run, lilac);
  const own = { targetOrganisationId: organisationId };
  const deployment = await lilac.call('deployments.get', { body: { ...own, deploymentId: named } });
  const environmentId = deployment.environment_id;
  const { application_id: applicationId } = await lilac.call('environments.get', { body: { ...own, environmentId } });
  return { organisationId, applicationId, environmentId };
}

function oneBefore(all: readonly Listed[]): Listed {
  const found = servedBefore(all);
  if (found) return found;
  throw new GaveUp(
    'There is no earlier deployment that could be served again. "lilac deployments" shows what there is; "lilac rollback ID" takes any that can be.',
  );
}

async function follow(
  run: CommandRun,
  lilac: Lilac,
  { started, before, startedMs }: { started: Started; before: string | null; startedMs: number },
): Promise<null> {
  const { deploymentId, organisationId } = started;
  using line = openLine(run);
  const followed = { deploymentId, organisationId, signal: run.signal, hidesLog: true };
  const deployment = await followDeployment(lilac, line, followed).catch(async (error: unknown) => {
    if (run.signal?.aborted) await takeBack(lilac, line, { ...started, before });
    throw error;
  });
  return await report(run, line, { lilac, started, deployment, tookMs: Date.now() - startedMs, isRollback: true });
}
