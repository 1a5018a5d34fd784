import { randomBytes } from 'node:crypto';
import type { Config } from '../../config.ts';
import type { Db } from '../../db/pool.ts';
import type { InstanceAddress } from '../../routing/route.ts';
import { findRoute, publishRoute } from '../../routing/route-store.ts';
import { applicationUrl } from '../applications/application.ts';
import { StartFailed, type Candidates, type Fleet } from '../instances/fleet.ts';
import { awaitEdges, type ReleaseTiming } from './await-edges.ts';
import { isOvertaken } from './deployment.ts';
import { readHistory, updateDeployment } from './deployment-store.ts';
import { whileOurs, type HeldRelease, type ReleaseStep } from './hold-release.ts';
import { appendInTurn } from './log-store.ts';
import { probeEdge } from './probe-edge.ts';
import { checkedTarget } from './target-of.ts';

export interface StartDeps {
  config: Pick<Config, 'port' | 'bind' | 'instances' | 'publicUrl' | 'appsDomain'>;
  fleet: Pick<Fleet, 'prepare'>;
  timing: ReleaseTiming;
}

/** Another release was asked for meanwhile. */
export class Overtaken extends Error {}

const LOOK_MS = 500;

/**
 * Starts the deployment's instances beside those that serve, and sees that they answer through the router.
 * Null when it is no longer this job's. Rejects with `StartFailed`, and with `Overtaken`.
 */
export async function startCandidates(
  deps: StartDeps,
  step: ReleaseStep,
  environmentId: string,
): Promise<Candidates | null> {
  const { db, deploymentId, context } = step;
  const note = (text: string) => appendInTurn(db, deploymentId, [`==> ${text}`]);
  const ours = await whileOurs(step, async ({ tx }) => updateDeployment(tx, deploymentId, { stage: 'starting' }));
  if (!ours) return null;
  await appendInTurn(db, deploymentId, ['==> Starting', `$ ${ours.run?.startCommand}`]);
  const watch = watchForOthers(step, environmentId);
  try {
    const notes: string[] = [];
    const signal = AbortSignal.any([context.signal, watch.signal]);
    const onNote = (text: string) => void notes.push(text);
    const candidates = await deps.fleet.prepare({ deploymentId, environmentId }, { signal, onNote });
    for (const text of notes) await note(text);
    return (await check(deps, { ...step, context: { ...context, signal } }, candidates)) ? candidates : null;
  } catch (error) {
    throw watch.signal.aborted && !context.signal.aborted ? new Overtaken() : error;
  } finally {
    watch.stop();
  }
}

/** Through the public port, as a visitor would come, but with a token that nobody else has. */
async function check(deps: StartDeps, step: ReleaseStep, candidates: Candidates): Promise<boolean> {
  const token = randomBytes(24).toString('base64url');
  const published = await whileOurs(step, (held) => publishProbe(held, candidates, token));
  if (!published) return false;
  const { version } = published;
  // Files are served under its address until the switch: there is nothing to check through.
  if (version === null) return true;
  const decided = new AbortController();
  const signal = AbortSignal.any([step.context.signal, decided.signal]);
  try {
    const asking = askEach(deps, candidates, { ...published, version, db: step.db, token, signal });
    // Who has ended will not answer: nobody is kept waiting for it.
    await Promise.race([candidates.failure, asking]);
    return true;
  } finally {
    decided.abort();
  }
}

interface Check {
  db: Db;
  version: number;
  subdomain: string;
  instances: readonly InstanceAddress[];
  token: string;
  signal: AbortSignal;
}

/** Rejects with `StartFailed` unless all answer. */
async function askEach(
  { config, timing }: StartDeps,
  { healthPath, lastLines }: Candidates,
  { db, version, subdomain, instances, token, signal }: Check,
): Promise<void> {
  const lagging = await awaitEdges(db, { version, timing, signal });
  if (lagging !== null) throw new StartFailed(lagging);
  const { host } = new URL(applicationUrl(config, subdomain));
  const withinMs = config.instances.startWithinMs;
  const ask = async ({ id }: InstanceAddress): Promise<void> => {
    const problem = await probeEdge({ config, host, token: `${token}.${id}`, healthPath, withinMs, signal });
    if (problem !== null) throw new StartFailed(problem, await lastLines(id));
  };
  await Promise.all(instances.map(ask));
}

async function publishProbe({ tx, environment, deployment }: HeldRelease, candidates: Candidates, token: string) {
  const { id: environmentId, subdomain } = environment;
  await updateDeployment(tx, deployment.id, { stage: 'checking' });
  const current = (await findRoute(tx, environmentId))?.target ?? null;
  const instances = candidates.addresses();
  if (current?.kind === 'static') return { subdomain, instances, version: null };
  const target = await checkedTarget(tx, { environment, deployment, instances }, { current, token });
  return { subdomain, instances, version: await publishRoute(tx, { environmentId, subdomain, target }) };
}

/** Aborts when a later release waits: who asked last wins, and is not kept waiting by a slow start. */
function watchForOthers({ db, context }: ReleaseStep, environmentId: string) {
  const overtaken = new AbortController();
  const look = async (): Promise<void> => {
    if (isOvertaken(await readHistory(db, environmentId), context.jobId)) overtaken.abort(new Overtaken());
  };
  const timer = setInterval(() => void look().catch(() => {}), LOOK_MS);
  return { signal: overtaken.signal, stop: () => clearInterval(timer) };
}
