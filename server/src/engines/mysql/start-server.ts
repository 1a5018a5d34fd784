import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { removeTree } from '../../lib/remove-tree.ts';
import { EngineRefused } from '../engine.ts';
import { launchWithRoom } from '../host/launch-with-room.ts';
import type { ServerHost, ServerPlace } from '../host/server-host.ts';
import type { ServerSpec } from '../server.ts';
import { keepAccess } from './access.ts';
import { setBrake } from './brake.ts';
import { connectAsPlatform, SOCKET_NAME } from './connect.ts';
import { readFollower, removeStepMark } from './follower-record.ts';
import { isCrowded } from './health.ts';
import { innerHomeOf, SHOWN_AT } from './inner-home.ts';
import { isOutOfSpace, readLastWords } from './last-words.ts';
import type { MysqlPrograms } from './programs.ts';
import { argumentsOf, BINLOG_NAME, OWN_FOLDERS, settingsOf } from './settings.ts';

export interface StartWants {
  host: ServerHost;
  place: ServerPlace;
  spec: ServerSpec;
  programs: MysqlPrograms;
  /** A standby that does not know yet whom to follow. */
  waitsToFollow?: boolean;
  signal: AbortSignal | undefined;
}

/** With less than this a server cannot even recover. */
const NEEDED_BYTES = 48 * 1024 ** 2;

/** Starting takes a tenth of a second of one processor; of a quarter of one it would be the better part of a second. */
const CPUS_TO_START = 1;

export async function startServer(wants: StartWants): Promise<void> {
  const { host, place, spec } = wants;
  if (host.isRunning(spec.id)) {
    await untilReady(wants);
  } else {
    host.setLimits(place, { ...spec.size, cpus: Math.max(spec.size.cpus, CPUS_TO_START) });
    await launchWithRoom({
      host,
      place,
      port: spec.port,
      neededBytes: NEEDED_BYTES,
      launch: () => launch(wants),
      isOutOfSpace,
      // A standby has the accounts of its primary, which are what is braked.
      brake: async () => {
        if (spec.role === 'primary') await setBrake(place.home, true);
      },
    });
  }
  host.setLimits(place, spec.size);
  if (spec.role === 'primary') await keepAccess(place.home, spec.access);
}

async function launch(wants: StartWants): Promise<void> {
  const { host, place, spec, programs, waitsToFollow = false } = wants;
  await host.kill(spec.id);
  const { standbyId, isSynchronous } = readFollower(place);
  const isFollowed = standbyId !== null;
  removeStepMark(place);
  await clearLeftovers(place, { keepsBinlog: isFollowed });
  const settings = settingsOf({
    serverId: spec.id,
    port: spec.port,
    role: spec.role,
    size: spec.size,
    innerHome: innerHomeOf(place),
    isFollowed,
    isSynchronous,
    waitsToFollow,
  });
  await host.launch(place, {
    argv: [programs.server, ...argumentsOf(settings)],
    env: { LC_ALL: 'C', TZ: 'UTC' },
    homeAt: SHOWN_AT,
  });
  await untilReady(wants);
}

/** Files of statements that were cut off, and a log that nobody will read: without a standby none is written. */
async function clearLeftovers(place: ServerPlace, { keepsBinlog }: { keepsBinlog: boolean }): Promise<void> {
  const inHome = (name: string) => join(place.home, name);
  await removeTree(inHome(OWN_FOLDERS.copy));
  await removeTree(inHome(OWN_FOLDERS.temporary));
  mkdirSync(inHome(OWN_FOLDERS.temporary), { mode: 0o700 });
  place.own(inHome(OWN_FOLDERS.temporary));
  rmSync(inHome(SOCKET_NAME), { force: true });
  if (keepsBinlog) return;
  const logs = readdirSync(place.home).filter((name) => name.startsWith(`${BINLOG_NAME}.`));
  for (const name of logs) rmSync(inHome(name), { force: true });
}

const FIRST_WAIT_MS = 5;
const LONGEST_WAIT_MS = 200;
/** What a server answers that knows the platform not, and so never will. */
const REFUSED = ['ER_ACCESS_DENIED_ERROR', 'ER_ACCESS_DENIED_NO_PASSWORD_ERROR', 'ER_HOST_NOT_PRIVILEGED'];

/** Recovery after a crash may take long; what ends the wait early is the server's own end. */
async function untilReady({ host, place, spec, signal }: StartWants): Promise<void> {
  for (let waitMs = FIRST_WAIT_MS; ; waitMs = Math.min(waitMs * 1.3, LONGEST_WAIT_MS)) {
    signal?.throwIfAborted();
    const answer = await ask(place.home);
    if (answer === 'ready') return;
    if (!host.isRunning(spec.id)) {
      throw new EngineRefused(`MariaDB did not start: ${readLastWords(place.logFile)}`);
    }
    if (answer instanceof Error) throw new EngineRefused(`MariaDB refuses the platform: ${answer.message}`);
    await delay(waitMs);
  }
}

async function ask(home: string): Promise<'ready' | 'not yet' | Error> {
  try {
    await using _session = await connectAsPlatform(home);
    return 'ready';
  } catch (error) {
    if (isCrowded(error)) return 'ready';
    const { code = '' } = error as NodeJS.ErrnoException;
    return REFUSED.includes(code) ? (error as Error) : 'not yet';
  }
}
