import { setTimeout as delay } from 'node:timers/promises';
import { StartRefused, type InstanceAddress, type InstanceSpec } from '../../runtime/runtime.ts';
import { awaitListening } from './await-listening.ts';
import type { FleetWorld } from './fleet-world.ts';
import { notePort } from './fleet-store.ts';
import type { Member } from './member.ts';
import { addressesText, renewAddresses } from './renew-addresses.ts';
import { specOf, type Subject } from './subject.ts';

export type BootResult =
  | { kind: 'up'; port: number; isElsewhere: boolean }
  | { kind: 'unreachable' | 'refused'; message: string };

export interface BootOptions {
  signal: AbortSignal;
  /** Its address is certain; it need not listen. */
  onAddress: () => void;
}

/**
 * Starts the instance unless it runs already, and watches until it can be reached or will not be. Rejects when aborted.
 */
export async function bootMember(
  world: FleetWorld,
  { member, subject }: { member: Member; subject: Subject | null },
  { signal, onAddress }: BootOptions,
): Promise<BootResult> {
  if (!member.address) {
    const refusal = await start(world, member, subject!);
    if (refusal !== null) return { kind: 'refused', message: refusal };
    signal.throwIfAborted();
    onAddress();
  }
  const timing = { ...world.timing, startWithinMs: world.config.instances.startWithinMs };
  const address = member.address!;
  const listening = await awaitListening(world.runtime, address, { timing, signal });
  if (listening.kind === 'unreachable') return listening;
  const { port } = listening;
  if (subject) await rememberPort(world, subject, { port, given: address.port });
  return { kind: 'up', port, isElsewhere: port !== address.port };
}

/** Returns why it cannot be started, or null. */
async function start(world: FleetWorld, member: Member, subject: Subject): Promise<string | null> {
  const { leadership, log } = world;
  try {
    await renewAddresses(world, subject);
    member.addresses = addressesText(subject);
    await leadership.certain();
    member.address = { id: member.id, ...(await place(world, specOf(subject, member.id))) };
    return null;
  } catch (error) {
    log.error({ err: error, instance: member.id }, 'an instance could not be started');
    return error instanceof StartRefused ? error.message : 'The platform could not start an instance.';
  }
}

/** One that is given up and started all the same is listed: then it is one more than there should be, and goes. */
async function place({ runtime, timing }: FleetWorld, spec: InstanceSpec): Promise<InstanceAddress> {
  const waiting = new AbortController();
  const silence = delay(timing.placeWithinMs, undefined, { signal: waiting.signal, ref: false }).then(() => {
    throw new StartRefused(SILENT);
  });
  try {
    return await Promise.race([runtime.start(spec), silence]);
  } finally {
    waiting.abort();
  }
}

const SILENT =
  'The engine that runs servers did not answer when an instance was to be started. Its operator has to see to it; ' +
  'deploy again when it does.';

/** The next one is told to listen there, and is expected nowhere else. */
async function rememberPort(
  { store, log }: FleetWorld,
  { deployment: { id, run } }: Subject,
  { port, given }: { port: number; given: number },
): Promise<void> {
  const isNews = port !== given || (!run.isPortKnown && port === run.port);
  if (!isNews || (run.isPortKnown && run.port === port)) return;
  Object.assign(run, { port, isPortKnown: true });
  await notePort(store.db, id, port).catch((error: unknown) => log.warn({ err: error }, 'a port was not noted'));
}
