import { createRedactor } from '../../build/redact.ts';
import type { InstanceAddress } from '../../routing/route.ts';
import type { Exit } from '../../runtime/runtime.ts';
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
  const failure = failureOf(keeper, subject, members);
  if (onPlaced) void tellPlaces(keeper, members, onPlaced);
  const { port } = subject.deployment.run;
  await untilAborted(Promise.all(members.map((member) => mustBoot(keeper, subject, member))), signal);
  const elsewhere = members.find(({ address }) => address !== null && subject.deployment.run.port !== port);
  if (elsewhere) onNote(`It listens on port ${subject.deployment.run.port}, which is used from now on.`);
  return {
    addresses: () =>
      members.flatMap(({ condition, retirement, address }) =>
        (condition === 'up' || condition === 'unwell') && !retirement && address ? [address] : [],
      ),
    failure,
    healthPath,
    lastLines: async (instanceId) => (await keeper.crew.lastLines(instanceId)).map(createRedactor(variables)),
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

async function mustBoot(keeper: Keeper, subject: Subject, member: Member): Promise<void> {
  const end = await keeper.crew.booted(member);
  if (end.kind === 'up') return;
  const lines = 'lines' in end ? end.lines.map(createRedactor(subject.deployment.variables)) : [];
  throw new StartFailed(reasonOf(end, subject), lines);
}

function failureOf(keeper: Keeper, subject: Subject, members: readonly Member[]): Promise<never> {
  const ends = members.map(async (member): Promise<never> => {
    const end = await keeper.crew.over(member);
    if (end.kind === 'gone') throw new StartFailed('An instance was stopped while it was checked.');
    const { run, variables } = subject.deployment;
    const message = `The new instance ${describeExit(end.exit, run.memoryMb)} while it was checked.`;
    throw new StartFailed(message + adviceOn(end.exit), end.lines.map(createRedactor(variables)));
  });
  const failure = Promise.race(ends);
  // Whoever is interested asks; an end after the switch is nobody's here.
  failure.catch(() => {});
  return failure;
}

function reasonOf(end: Exclude<BootEnd, { kind: 'up' }>, { deployment: { run } }: Subject): string {
  if (end.kind === 'gone') return 'An instance was stopped while it started.';
  if (end.kind === 'refused') return end.message;
  if (end.kind === 'unreachable') return `The new instance cannot be reached. ${end.message}`;
  const hint = end.exit.exitCode === 0 ? ' Is the start command right? It should not return.' : adviceOn(end.exit);
  return `The new instance ${describeExit(end.exit, run.memoryMb)} before it listened on port ${run.port}.${hint}`;
}

const adviceOn = ({ isMachineLost }: Exit): string => (isMachineLost ? ' Deploy again.' : '');

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
