import { randomBytes } from 'node:crypto';
import type { Config } from '../../config.ts';
import type { Db } from '../../db/pool.ts';
import type { InstanceAddress } from '../../routing/route.ts';
import { applicationUrl } from '../applications/application.ts';
import { StartFailed, type Candidates, type Fleet } from '../instances/fleet.ts';
import { announce, announceEarly, isStillTrue, type Announced } from './announce-candidates.ts';
import { awaitEdges, type ReleaseTiming } from './await-edges.ts';
import { isOvertaken } from './deployment.ts';
import { readHistory, readSubdomain, updateDeployment } from './deployment-store.ts';
import { yieldToLater } from './end-release.ts';
import { whileOurs, type HeldRelease, type ReleaseStep } from './hold-release.ts';
import { appendInTurn, appendLines } from './log-store.ts';
import { chooseEdge } from './choose-edge.ts';
import { probeEdge } from './probe-edge.ts';

export interface StartDeps {
  config: Pick<Config, 'home' | 'port' | 'bind' | 'instances' | 'publicUrl' | 'appsDomain'>;
  fleet: Pick<Fleet, 'prepare' | 'serving'>;
  timing: ReleaseTiming;
}

/** Another release was asked for meanwhile. */
export class Overtaken extends Error {}

const LOOK_MS = 500;

/**
 * Starts the deployment's instances beside those that serve, and sees that they answer through the router.
 * Null when it is no longer this job's, or has given way. Rejects with `StartFailed`, and with `Overtaken`.
 */
export async function startCandidates(deps: StartDeps, step: ReleaseStep): Promise<Candidates | null> {
  const { db, deploymentId, environmentId, context } = step;
  // Instances start while that is written down; they are given up where it turns out not to be this job's.
  const begun = whileOurs(step, (held) => begin(held, deps.fleet));
  const watch = watchForOthers(step);
  const over = new AbortController();
  const signal = AbortSignal.any([context.signal, watch.signal, over.signal]);
  const watched = { ...step, context: { ...context, signal } };
  const token = randomBytes(24).toString('base64url');
  let early: Promise<Announced | null> = Promise.resolve(null);
  try {
    const notes: string[] = [];
    const onNote = (text: string) => void notes.push(text);
    const onPlaced = (instances: InstanceAddress[]) => {
      if (signal.aborted) return;
      void step.tellStart();
      early = announceEarly(watched, { token, instances }, deps.timing);
    };
    const preparing = deps.fleet.prepare({ deploymentId, environmentId }, { signal, onNote, onPlaced });
    preparing.catch(() => {});
    if (!(await begun)) return null;
    const candidates = await preparing;
    for (const text of notes) await appendInTurn(db, deploymentId, [`==> ${text}`]);
    return (await check(deps, watched, { candidates, token, early })) ? candidates : null;
  } catch (error) {
    throw watch.signal.aborted && !context.signal.aborted ? new Overtaken() : error;
  } finally {
    watch.stop();
    over.abort();
    // Whatever comes next does not meet it on its way.
    await early;
  }
}

/** False when it has given way. */
async function begin(held: HeldRelease, fleet: StartDeps['fleet']): Promise<boolean> {
  const { tx, deployment } = held;
  if (await yieldToLater(held, fleet)) return false;
  await updateDeployment(tx, deployment.id, { stage: 'starting' });
  await appendLines(tx, deployment.id, ['==> Starting', `$ ${deployment.run?.startCommand}`]);
  return true;
}

interface Checked {
  candidates: Candidates;
  token: string;
  early: Promise<Announced | null>;
}

/** Through the public port, as a visitor would come, but with a token that nobody else has. */
async function check(deps: StartDeps, step: ReleaseStep, { candidates, token, early }: Checked): Promise<boolean> {
  const { db, deploymentId, environmentId, context } = step;
  const decided = new AbortController();
  const signal = AbortSignal.any([context.signal, decided.signal]);
  const noted = whileOurs(step, ({ tx }) => updateDeployment(tx, deploymentId, { stage: 'checking' }));
  const ask = async (): Promise<boolean> => {
    const instances = candidates.addresses();
    const told = await early;
    const announced = told && isStillTrue(told, instances) ? told : await announce(step, { token, instances });
    if (announced) await askEach(deps, candidates, { db, environmentId, announced, token, signal });
    return announced !== null;
  };
  try {
    // Who has ended will not answer: nobody is kept waiting for it.
    const [isOurs, row] = await Promise.race([candidates.failure, Promise.all([ask(), noted])]);
    return isOurs && row !== null;
  } finally {
    decided.abort();
    await noted.catch(() => {});
  }
}

interface Question {
  db: Db;
  environmentId: string;
  announced: Announced;
  token: string;
  signal: AbortSignal;
}

/** Rejects with `StartFailed` unless all answer. */
async function askEach(
  { config, timing }: StartDeps,
  { healthPath, lastLines }: Candidates,
  { db, environmentId, announced: { version, subdomain, instances, hasArrived }, token, signal }: Question,
): Promise<void> {
  const lagging = hasArrived || version === null ? null : await awaitEdges(db, { version, timing, signal });
  if (lagging !== null) throw new StartFailed(lagging);
  const hostOf = (current: string) => new URL(applicationUrl(config, current)).host;
  // It may be renamed while it is asked again and again.
  const newHost = async () => hostOf((await readSubdomain(db, environmentId)) ?? subdomain);
  const withinMs = config.instances.startWithinMs;
  const ask = async ({ id, host: bind, port }: InstanceAddress): Promise<void> => {
    // Where files are served until the switch, no edge knows it yet: it is asked itself.
    const choose = async (attempt: number) => (version === null ? { bind, port } : chooseEdge(db, config, attempt));
    const names = { host: hostOf(subdomain), newHost, token: `${token}.${id}` };
    const problem = await probeEdge({ ...names, chooseEdge: choose, healthPath, withinMs, signal });
    if (problem !== null) throw new StartFailed(problem, await lastLines(id));
  };
  await Promise.all(instances.map(ask));
}

/** Aborts when a later release waits: who asked last wins, and is not kept waiting by a slow start. */
function watchForOthers({ db, environmentId, deploymentId }: ReleaseStep) {
  const overtaken = new AbortController();
  const look = async (): Promise<void> => {
    if (isOvertaken(await readHistory(db, environmentId), deploymentId)) overtaken.abort(new Overtaken());
  };
  const tryToLook = () => void look().catch(() => {});
  // At once too: nothing is started for one that has been overtaken already.
  tryToLook();
  const timer = setInterval(tryToLook, LOOK_MS);
  return { signal: overtaken.signal, stop: () => clearInterval(timer) };
}
