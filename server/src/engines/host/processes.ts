import { existsSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import type { ChildProcess } from '../../lib/exec.ts';
import type { ProcessIdentity } from '../../lib/process-identity.ts';
import { readUsage } from '../../runtime/held/read-usage.ts';
import { changeLimits, createCgroup, removeCgroup } from '../../sandbox/cgroups/cgroup.ts';
import type { Limits } from '../../sandbox/sandbox.ts';
import type { ServerSize } from '../server.ts';
import { createExits, type Exits } from './exits.ts';
import { lastWords } from './last-words.ts';
import { launchServer, runHelper, type LaunchPlan } from './launch.ts';
import { findMain, isNoted, prepareLaunch, settleLaunches } from './launch-notes.ts';
import { killMembers, listMembers, sendSignal } from './members.ts';
import { filesOf } from './place-files.ts';
import type { PlaceRecord } from './place-record.ts';
import type { ServerProgram } from './server-host.ts';

/** What runs of servers, each with its record and folder; as what is the implementation's business. */
export interface Processes {
  onExit: Exits['onExit'];
  /** Names the run of its main process, which no other start shares; null when none runs. */
  runOf(server: ServerFolder): string | null;
  launch(server: HeldServer, program: ServerProgram, setpriv: string | null): Promise<void>;
  run(
    server: HeldServer,
    program: ServerProgram & { timeoutMs: number },
    setpriv: string | null,
  ): Promise<{ exitCode: number | null; output: string }>;
  end(server: HeldServer, steps: readonly { signal: NodeJS.Signals; waitMs: number }[]): Promise<void>;
  /** The end of it is no news; with `isForGood` its control group goes as well. */
  kill(server: HeldServer, options?: { isForGood: boolean }): Promise<void>;
  /** Watches one that somebody else has started. */
  adopt(server: HeldServer): Promise<void>;
  /** Of one that runs. */
  setLimits(server: HeldServer): void;
  usage(server: HeldServer): Promise<{ cpuSeconds: number; memoryBytes: number }>;
  /** What is not as it was asked for: a sentence each. */
  lacking(): Promise<readonly string[]>;
  /** Begins to watch; these are all the servers that there are. */
  open(servers: readonly ServerFolder[]): Promise<void>;
  close(): void;
}

export interface ServerFolder {
  serverId: string;
  folder: string;
}

export interface HeldServer {
  record: PlaceRecord;
  folder: string;
}

const POLL_MS = 10;
const NOTE_POLL_MS = 2;
/** Processes and threads: a server has one for each connection. */
const PIDS = 4096;

/** Processes of this machine, which belong to nobody's process. */
export function createProcesses(): Processes {
  const exits = createExits();

  return {
    onExit: (listener) => exits.onExit(listener),
    runOf({ folder }) {
      const main = findMain(folder);
      return main && `${main.pid}.${main.startTime}`;
    },
    async launch(server, program, setpriv) {
      const { record, folder } = server;
      if (await settleLaunches(folder)) throw new Error(`${record.serverId} runs already`);
      // What was left by one that crashed has its memory and its files open.
      await killMembers(() => membersOf(server, null));
      ensureGroup(record);
      const note = prepareLaunch(folder);
      const { log: logFile } = filesOf(folder);
      const child = await launchServer(planOf(server, program, setpriv), { note, logFile });
      while (!isNoted(note) && !hasEnded(child)) await delay(NOTE_POLL_MS);
      if (!isNoted(note)) throw new Error(`${record.serverId} was not started: ${lastWords(logFile)}`);
      exits.watchChild(record.serverId, child);
    },
    async run(server, program, setpriv) {
      ensureGroup(server.record);
      return runHelper(planOf(server, program, setpriv), program.timeoutMs);
    },
    async end(server, steps) {
      exits.expect(server.record.serverId);
      await settleLaunches(server.folder);
      for (const { signal, waitMs } of steps) {
        const main = findMain(server.folder);
        if (main) sendSignal(main.pid, signal);
        if (await areGone(server, main ? waitMs : 0)) return;
      }
      await killMembers(() => membersOf(server, findMain(server.folder)));
    },
    async kill(server, { isForGood } = { isForGood: false }) {
      exits.expect(server.record.serverId);
      await settleLaunches(server.folder);
      await killMembers(() => membersOf(server, findMain(server.folder)));
      if (isForGood) await removeCgroup(server.record.cgroup);
    },
    async adopt({ record, folder }) {
      const main = await settleLaunches(folder);
      if (main) exits.watchAdopted(record.serverId, main);
    },
    setLimits: ({ record: { cgroup, size } }) => changeLimits(cgroup, limitsOf(size)),
    usage: async (server) => readUsage(server.record.cgroup, () => membersOf(server, findMain(server.folder))),
    lacking: async () => [],
    async open() {
      exits.open();
    },
    close: () => exits.close(),
  };
}

const membersOf = ({ record: { cgroup, uid }, folder }: HeldServer, main: ProcessIdentity | null): number[] =>
  listMembers({ cgroup, uid, home: filesOf(folder).home, main });

const planOf = ({ record, folder }: HeldServer, program: ServerProgram, setpriv: string | null): LaunchPlan => ({
  program,
  home: filesOf(folder).home,
  uid: record.uid,
  cgroup: record.cgroup,
  setpriv,
});

function ensureGroup({ cgroup, size }: PlaceRecord): void {
  const limits = limitsOf(size);
  if (!cgroup.every(({ path }) => existsSync(path))) createCgroup(cgroup, limits);
  changeLimits(cgroup, limits);
}

const limitsOf = ({ memoryMb, cpus }: ServerSize): Limits => ({ memoryMb, cpus, pids: PIDS, timeoutMs: 0 });

const hasEnded = (child: ChildProcess): boolean => child.exitCode !== null || child.signalCode !== null;

async function areGone(server: HeldServer, waitMs: number): Promise<boolean> {
  const deadline = Date.now() + waitMs;
  while (membersOf(server, findMain(server.folder)).length > 0) {
    if (Date.now() > deadline) return false;
    await delay(POLL_MS);
  }
  return true;
}
