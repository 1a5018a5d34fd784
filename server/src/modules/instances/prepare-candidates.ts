import { redactLines } from '../../build/redact.ts';
import type { InstanceAddress } from '../../routing/route.ts';
import type { Exit, Runtime } from '../../runtime/runtime.ts';
import { adviceOn, NOT_FOUND } from './advice-on-exit.ts';
import { describeExit } from './crash-record.ts';
import { healthPathOf } from './health-path.ts';
import { StartFailed, type Candidates, type PrepareOptions } from './fleet.ts';
import type { FleetWorld } from './fleet-world.ts';
import type { Keeper } from './keeper.ts';
import { loadSubject } from './load-subject.ts';
import { isCapacity, type BootEnd, type Member } from './member.ts';
import type { Subject } from './subject.ts';

/** As many as serve now, and at least one; what is there of an interrupted attempt is used. */
export async function prepareCandidates(
  world: FleetWorld,
  { keeper, deploymentId }: { keeper: Keeper; deploymentId: string },
  { signal, onNote, onPlaced }: PrepareOptions,
): Promise<Candidates> {
  keeper.pin(deploymentId);
  const [subject] = await Promise.all([loadSubject(world, deploymentId), keeper.refresh()]);
  if (!subject) throw new StartFailed('The files of this deployment are no longer there. Deploy again.');
  signal.throwIfAborted();
  const { variables } = subject.deployment;
  const healthPath = healthPathOf(variables);
  const members = gather(keeper, subject);
  const trial: Trial = { keeper, subject, runtime: world.runtime };
  const failure = failureOf(trial, members);
  if (onPlaced) void tellPlaces(keeper, members, onPlaced);
  const { port } = subject.deployment.run;
  await untilAborted(Promise.all(members.map((member) => mustBoot(trial, member))), signal);
  const elsewhere = members.find(({ address }) => address !== null && subject.deployment.run.port !== port);
  if (elsewhere) onNote(`It listens on port ${subject.deployment.run.port}, which is used from now on.`);
  return {
    addresses: () =>
      members.flatMap(({ condition, retirement, address }) =>
        (condition === 'up' || condition === 'unwell') && !retirement && address ? [address] : [],
      ),
    failure,
    healthPath,
    lastLines: async (instanceId) => redactLines(await keeper.crew.lastLines(instanceId), variables),
  };
}

function gather(keeper: Keeper, subject: Subject): Member[] {
  const { min, max } = keeper.bounds();
  const liveId = keeper.liveId();
  const serving = liveId === null ? 0 : keeper.crew.strengthOf(liveId);
  const count = Math.min(max, Math.max(min, serving, 1));
  const there = keeper.crew.of(subject.deployment.id).filter(isCapacity).slice(0, count);
  return [...there, ...Array.from({ length: count - there.length }, () => keeper.crew.launch(subject))];
}

async function tellPlaces(
  keeper: Keeper,
  members: readonly Member[],
  onPlaced: (instances: InstanceAddress[]) => void,
): Promise<void> {
  const places = await Promise.all(members.map((member) => keeper.crew.located(member)));
  const known = places.filter((place) => place !== null);
  if (known.length === members.length) onPlaced(known);
}

interface Trial {
  keeper: Keeper;
  subject: Subject;
  runtime: Pick<Runtime, 'isolation'>;
}

async function mustBoot(trial: Trial, member: Member): Promise<void> {
  const end = await trial.keeper.crew.booted(member);
  if (end.kind === 'up') return;
  const { variables } = trial.subject.deployment;
  const lines = 'lines' in end ? await redactLines(end.lines, variables) : [];
  throw new StartFailed(await reasonOf(end, trial), lines);
}

function failureOf(trial: Trial, members: readonly Member[]): Promise<never> {
  const ends = members.map(async (member): Promise<never> => {
    const end = await trial.keeper.crew.over(member);
    if (end.kind === 'gone') throw new StartFailed('An instance was stopped while it was checked.');
    const { run, variables } = trial.subject.deployment;
    const message = `The new instance ${describeExit(end.exit, run.memoryMb)} while it was checked.`;
    const lines = await redactLines(end.lines, variables);
    throw new StartFailed(message + (await adviceFor(end.exit, trial)), lines);
  });
  const failure = Promise.race(ends);
  // Whoever is interested asks; an end after the switch is nobody's here.
  failure.catch(() => {});
  return failure;
}

async function reasonOf(end: Exclude<BootEnd, { kind: 'up' }>, trial: Trial): Promise<string> {
  if (end.kind === 'gone') return 'An instance was stopped while it started.';
  if (end.kind === 'refused') return end.message;
  if (end.kind === 'unreachable') return `The new instance cannot be reached. ${end.message}`;
  const { run } = trial.subject.deployment;
  const hint =
    end.exit.exitCode === 0 ? ' Is the start command right? It should not return.' : await adviceFor(end.exit, trial);
  return `The new instance ${describeExit(end.exit, run.memoryMb)} before it listened on port ${run.port}.${hint}`;
}

/** What runs it is asked its name only where that is of use. */
async function adviceFor(exit: Exit, { subject, runtime }: Trial): Promise<string> {
  const isAsked = exit.exitCode === NOT_FOUND;
  const isolation = isAsked ? await runtime.isolation().catch(() => null) : null;
  return adviceOn(exit, { runtime: isolation?.name, isOwnImage: Boolean(subject.deployment.run.image) });
}

/** For work that nobody may ever settle. */
export async function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const aborted = Promise.withResolvers<never>();
  const abort = () => aborted.reject(signal.reason as Error);
  if (signal.aborted) abort();
  signal.addEventListener('abort', abort, { once: true });
  try {
    return await Promise.race([work, aborted.promise]);
  } finally {
    signal.removeEventListener('abort', abort);
    work.catch(() => {});
  }
}
