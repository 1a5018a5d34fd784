import { setTimeout as delay } from 'node:timers/promises';
import type Docker from 'dockerode';
import type { Log } from '../../lib/log.ts';
import { labelNames } from './service-spec.ts';

/** The containers of servers on this machine, as they were when somebody last looked. */
export interface ContainerView {
  /** Whether somebody watches, and could look already. */
  isKnown(): boolean;
  running(serverId: string): SeenContainer | null;
  /** Also those that have ended, or are being made. */
  all(serverId: string): SeenContainer[];
  /** Resolves when somebody has looked after this call. */
  look(): Promise<void>;
  /** It has just been started: its end is news, even where nobody saw it run. */
  begun(serverId: string): void;
  /** It is being ended: that is no news. */
  expect(serverId: string): void;
  onExit(listener: (serverId: string) => void): () => void;
  /** Looks by itself from now on. */
  open(): void;
  close(): void;
}

export interface SeenContainer {
  id: string;
  serverId: string;
  launch: string;
  isRunning: boolean;
  /** Its program has been there, and may still be. */
  hasBegun: boolean;
}

export interface ContainerViewDeps {
  /** The engine, and what its containers are found by. */
  ask: () => Promise<{ docker: Docker; installation: string }>;
  log: Log;
}

/** What an event was missed for is seen by then. */
const LOOK_MS = 2000;
const RECONNECT_MS = 500;

export function createContainerView({ ask, log }: ContainerViewDeps): ContainerView {
  let seen: SeenContainer[] | null = null;
  const runs = new Set<string>();
  const expected = new Set<string>();
  const listeners = new Set<(serverId: string) => void>();
  let last: Promise<void> = Promise.resolve();
  let next: Promise<void> | null = null;
  let over: AbortController | undefined;

  async function refresh(): Promise<void> {
    next = null;
    seen = await listContainers(await ask());
    const alive = new Set(seen.filter(({ isRunning }) => isRunning).map(({ serverId }) => serverId));
    const ended = [...runs].filter((serverId) => !alive.has(serverId));
    for (const serverId of alive) runs.add(serverId);
    for (const serverId of ended) {
      runs.delete(serverId);
      if (!expected.has(serverId)) for (const listener of listeners) listener(serverId);
    }
  }

  /** One look after another, so that nothing older comes later. */
  function look(): Promise<void> {
    if (next) return next;
    next = last.then(refresh);
    last = next.catch(() => {});
    return next;
  }

  const lookQuietly = () => look().catch((error: unknown) => log.debug({ err: error }, 'containers cannot be listed'));

  async function listen(signal: AbortSignal): Promise<void> {
    const { docker, installation } = await ask();
    const filters = {
      type: ['container' as const],
      event: ['start', 'die', 'destroy'],
      label: [`${labelNames.installation}=${installation}`],
    };
    const stream = await docker.getEvents({ filters, abortSignal: signal });
    stream.on('data', () => void lookQuietly());
    await new Promise((resolve) => stream.on('end', resolve).on('error', resolve).on('close', resolve));
  }

  async function follow(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await listen(signal).catch(() => undefined);
      if (!signal.aborted) await lookQuietly();
      await delay(RECONNECT_MS, undefined, { ref: false });
    }
  }

  async function lookNowAndThen(signal: AbortSignal): Promise<void> {
    for (;;) {
      await delay(LOOK_MS, undefined, { ref: false });
      if (signal.aborted) return;
      await lookQuietly();
    }
  }

  return {
    isKnown: () => over !== undefined && seen !== null,
    running: (serverId) => seen?.find((each) => each.serverId === serverId && each.isRunning) ?? null,
    all: (serverId) => (seen ?? []).filter((each) => each.serverId === serverId),
    look,
    begun(serverId) {
      expected.delete(serverId);
      runs.add(serverId);
    },
    expect: (serverId) => void expected.add(serverId),
    onExit(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    open() {
      if (over) return;
      over = new AbortController();
      void follow(over.signal);
      void lookNowAndThen(over.signal);
    },
    close() {
      over?.abort();
      over = undefined;
      listeners.clear();
    },
  };
}

async function listContainers({ docker, installation }: { docker: Docker; installation: string }) {
  const filters = { label: [`${labelNames.installation}=${installation}`] };
  const found = await docker.listContainers({ all: true, filters });
  return found.map(({ Id, Labels, State }): SeenContainer => ({
    id: Id,
    serverId: Labels[labelNames.server] ?? '',
    launch: Labels[labelNames.launch] ?? '',
    isRunning: State === 'running' || State === 'paused',
    hasBegun: State !== 'created',
  }));
}
