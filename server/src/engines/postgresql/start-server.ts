import { setTimeout as delay } from 'node:timers/promises';
import { removeStaleLockFiles } from '../../store/postmaster-file.ts';
import { EngineRefused } from '../engine.ts';
import { launchWithRoom } from '../host/launch-with-room.ts';
import type { ServerHost, ServerPlace } from '../host/server-host.ts';
import type { ServerSpec } from '../server.ts';
import { accessRulesOf, applySettings } from './apply-settings.ts';
import { setBrake } from './brake.ts';
import { connectAsPlatform } from './connect.ts';
import { argvWithData } from './data-folder.ts';
import { endStrangers } from './end-sessions.ts';
import { isCrowded } from './health.ts';
import { isOutOfSpace, readLastWords } from './last-words.ts';
import { readMainProcessFile } from './main-process-file.ts';
import type { PostgresqlPrograms } from './programs.ts';
import { reload } from './reload.ts';
import { releaseSharedMemory } from './shared-memory.ts';

export interface StartWants {
  host: ServerHost;
  place: ServerPlace;
  spec: ServerSpec;
  programs: PostgresqlPrograms;
  signal: AbortSignal | undefined;
}

/** Nothing of the platform's own environment; its children are to die before it does. */
const ENVIRONMENT = {
  LC_ALL: 'C',
  TZ: 'UTC',
  PG_OOM_ADJUST_FILE: '/proc/self/oom_score_adj',
  PG_OOM_ADJUST_VALUE: '300',
};

/** All are sent away, and everything is written down. */
const FAST_SHUTDOWN = 'SIGINT';

/** With less than this a server cannot even recover. */
const NEEDED_BYTES = 48 * 1024 ** 2;

export async function startServer(wants: StartWants): Promise<void> {
  const { host, place, spec } = wants;
  host.setLimits(place, spec.size);
  if (host.isRunning(spec.id)) {
    await adjustServer(place, spec, () => untilReady(wants));
    return;
  }
  applySettings(place, spec);
  await launchWithRoom({
    host,
    place,
    port: spec.port,
    neededBytes: NEEDED_BYTES,
    launch: () => launch(wants),
    isOutOfSpace,
    brake: () => setBrake(place.home, true),
  });
}

/** One that runs takes what it can take without a restart. */
export async function adjustServer(
  place: ServerPlace,
  spec: ServerSpec,
  untilItAnswers: () => Promise<void> = () => Promise.resolve(),
): Promise<void> {
  const isNew = applySettings(place, spec);
  await untilItAnswers();
  if (!isNew) return;
  await reload(place.home);
  await using session = await connectAsPlatform(place.home);
  await endStrangers(session.client, accessRulesOf(spec));
}

async function launch(wants: StartWants): Promise<void> {
  const { host, place, spec, programs } = wants;
  await host.kill(spec.id);
  await releaseSharedMemory(place);
  removeStaleLockFiles(place.home);
  const argv = argvWithData(programs.series, place.innerHome, (data) => [programs.postgres, '-D', data]);
  await host.launch(place, { argv, env: ENVIRONMENT, stopSignal: FAST_SHUTDOWN });
  await untilReady(wants);
}

const FIRST_WAIT_MS = 5;
const LONGEST_WAIT_MS = 200;
/** What a server says that has begun and does not take connections yet. */
const NOT_YET = ['57P03', 'ECONNREFUSED', 'ENOENT', 'ECONNRESET', 'EPIPE'];

/** Recovery after a crash may take long; what ends the wait early is the server's own end. */
async function untilReady({ host, place, spec, signal }: StartWants): Promise<void> {
  for (let waitMs = FIRST_WAIT_MS; ; waitMs = Math.min(waitMs * 1.3, LONGEST_WAIT_MS)) {
    signal?.throwIfAborted();
    const answer = await ask(place.home);
    if (answer === 'ready') return;
    if (!host.isRunning(spec.id)) {
      const words = readLastWords(place.logFile);
      throw new EngineRefused(`PostgreSQL did not start: ${words || 'it said nothing'}`);
    }
    if (answer instanceof Error) throw new EngineRefused(`PostgreSQL refuses the platform: ${answer.message}`);
    await delay(waitMs);
  }
}

async function ask(home: string): Promise<'ready' | 'not yet' | Error> {
  // Asking costs the server a process each time, out of what its tier gives it to start with.
  if (!readMainProcessFile(home)?.isReady) return 'not yet';
  try {
    await using _session = await connectAsPlatform(home);
    return 'ready';
  } catch (error) {
    if (isCrowded(error)) return 'ready';
    const { code } = error as NodeJS.ErrnoException;
    if (error instanceof EngineRefused || (code && NOT_YET.includes(code))) return 'not yet';
    const isTorn = error instanceof Error && /terminated|timeout/i.test(error.message);
    return isTorn || !(error instanceof Error) ? 'not yet' : error;
  }
}
