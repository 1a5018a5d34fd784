import { randomInt } from 'node:crypto';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { findProgram } from '../server/build/find-program.mjs';
import { isPortFree } from '../server/src/engines/port-free.ts';
import { run, start, type Finished } from '../server/src/lib/exec.ts';
import { endDatabases } from './database-servers.ts';
import { findRunning, stopEmbeddedStore } from '../server/src/store/embedded-store.ts';
import { layPreparedStore } from './prepared-store.ts';

const ownRoot = join(import.meta.dirname, '..');
/** What `npm start` runs here; of another tree the sources. */
const mainOf = (root: string) => (root === ownRoot ? findProgram() : join(root, 'server', 'src', 'main.ts'));

export interface PlatformOptions {
  /** Further settings. */
  env?: Record<string, string>;
  /** Use this home again; it is then not removed at the end. */
  home?: string;
  port?: number;
  /** How to start it, where it is not the server itself. */
  argv?: [string, ...string[]];
  /** Where the program lies; left out, the one that is tested. */
  root?: string;
}

/** The real platform: supervisor and all, in a home of its own, on a free port. */
export interface Platform extends AsyncDisposable {
  url: string;
  home: string;
  port: number;
  supervisorPid: number;
  /** The one-time link that the platform printed; null when somebody has an account. */
  setupLink: string | null;
  /** Everything it has said so far, a JSON object a line. */
  output(): string;
  /** The processes by role, as the supervisor records them. */
  pids(): Record<string, number[]>;
  /** Runs the operator's command line on this installation. */
  lilac(...argv: string[]): Promise<Finished>;
  /** Asks it to stop as Ctrl-C does; resolves to the exit code. */
  stop(signal?: NodeJS.Signals): Promise<number | null>;
}

export async function startPlatform(options: PlatformOptions = {}): Promise<Platform> {
  const home = options.home ?? (await makeHome(options));
  const port = options.port ?? (await findFreePort());
  const env = environmentFor({ ...options.env, LILAC_HOME: home, LILAC_PORT: String(port) });
  const root = options.root ?? ownRoot;
  const argv = options.argv ?? [process.execPath, mainOf(root), 'server'];
  // A process group of its own, as a terminal gives to a command.
  const child = start(argv, { cwd: root, env, stdio: ['ignore', 'pipe', 'pipe'], detached: true });
  const stopAtLeastAtExit = () => void child.kill();
  process.once('exit', stopAtLeastAtExit);
  let output = '';
  child.stdout?.setEncoding('utf8').on('data', (chunk: string) => (output += chunk));
  child.stderr?.setEncoding('utf8').on('data', (chunk: string) => (output += chunk));
  const ended = new Promise<number | null>((resolve) => child.once('exit', (code) => resolve(code)));
  const platform: Platform = {
    url: `http://localhost:${port}`,
    home,
    port,
    supervisorPid: child.pid!,
    setupLink: null,
    output: () => output,
    pids: () => JSON.parse(readFileSync(join(home, 'run', 'roles.json'), 'utf8')) as Record<string, number[]>,
    lilac: (...argv) => run([process.execPath, join(root, 'cli', 'bin', 'lilac.mjs'), ...argv], { cwd: root, env }),
    stop(signal = 'SIGTERM') {
      child.kill(signal);
      return ended;
    },
    async [Symbol.asyncDispose]() {
      await platform.stop();
      await endDatabases(home, options.env);
      const store = findRunning({ directory: join(home, 'store') });
      if (store) await stopEmbeddedStore(store);
      process.off('exit', stopAtLeastAtExit);
      if (!options.home) rmSync(home, { recursive: true, force: true });
    },
  };
  try {
    const ready = await waitForLine(() => output, 'Lilac is ready', ended);
    platform.setupLink = ready.setupLink ?? null;
    return platform;
  } catch (error) {
    await platform[Symbol.asyncDispose]();
    throw error;
  }
}

/** In tests with a store, where this program will keep one; benches, chaos and soak have theirs as users have it. */
async function makeHome({ env, argv, root }: PlatformOptions): Promise<string> {
  const home = mkdtempSync(join(tmpdir(), 'lilac-e2e-'));
  const isTest = process.env['VITEST'] !== undefined;
  if (isTest && !argv && !root && !env?.['LILAC_DATABASE_URL']) await layPreparedStore(home);
  return home;
}

/** Every instance has a folder as long as anything of it is there. */
export function runningInstances({ home }: Pick<Platform, 'home'>): string[] {
  const folder = join(home, 'instances');
  return existsSync(folder) ? readdirSync(folder).filter((name) => name.startsWith('ins_')) : [];
}

/** For starts that do not come to their end: the server in a process group of its own, and what it says. */
export function startServer(settings: Record<string, string>) {
  const env = environmentFor(settings);
  const child = start([process.execPath, mainOf(ownRoot), 'server'], { cwd: ownRoot, env, detached: true });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (chunk: string) => (output += chunk));
  }
  process.once('exit', () => void child.kill());
  const ended = new Promise<number | null>((resolve) => child.once('close', (code) => resolve(code)));
  return { pid: child.pid!, output: () => output, ended };
}

/** For starts that are refused: runs the server to its end. */
export function runServer(settings: Record<string, string>): Promise<Finished> {
  return run([process.execPath, mainOf(ownRoot), 'server'], {
    cwd: ownRoot,
    env: environmentFor(settings),
    timeoutMs: 120_000,
  });
}

/**
 * Asks again until the answer is true; says what it waited for when it never is. A busy machine takes its time, and
 * every question takes a part of it: they come ever more seldom.
 */
export async function until(
  what: string,
  condition: () => boolean | Promise<boolean>,
  timeoutMs = 120_000,
): Promise<void> {
  const startedAt = Date.now();
  while (!(await condition())) {
    const waitedMs = Date.now() - startedAt;
    if (waitedMs > timeoutMs) throw new Error(`Waited in vain until ${what}.`);
    await delay(Math.min(100, 25 + waitedMs / 50));
  }
}

/**
 * Below those that the kernel gives to clients, and apart from those of databases; every worker of a run has its own.
 */
const FIRST_PORT = 16_000;
const PORTS_OF_A_WORKER = 2000;
const WORKERS = 8;

/** One that stays free while a platform is restarted: no client is given it meanwhile, nor another test. */
export async function findFreePort(): Promise<number> {
  const worker = Number(process.env['VITEST_POOL_ID'] ?? 0) % WORKERS;
  for (;;) {
    const port = FIRST_PORT + worker * PORTS_OF_A_WORKER + randomInt(PORTS_OF_A_WORKER);
    if (await isPortFree(port)) return port;
  }
}

/** Settings of whoever runs the tests must not reach the platform under test. */
function environmentFor(settings: Record<string, string>): Record<string, string | undefined> {
  const inherited = Object.entries(process.env).filter(
    ([name]) => !name.startsWith('LILAC_') && name !== 'NODE_OPTIONS',
  );
  // Compiled code is shared between the platforms of a test run, as between two starts of one.
  const compileCache = join(tmpdir(), 'lilac-e2e-compiled');
  return { ...Object.fromEntries(inherited), NODE_COMPILE_CACHE: compileCache, ...onlyHere, ...settings };
}

/** Nothing is asked of authorities out in the world, and a test that wants https brings a port for it. */
const onlyHere = { LILAC_TLS_PORT: 'off', LILAC_ACME_DIRECTORY: 'off' };

async function waitForLine(
  output: () => string,
  message: string,
  ended: Promise<number | null>,
): Promise<{ setupLink?: string }> {
  let hasEnded = false;
  void ended.then(() => (hasEnded = true));
  let found: { setupLink?: string } | undefined;
  await until(`the platform says "${message}"`, () => {
    found = output()
      .split('\n')
      .filter((line) => line.startsWith('{'))
      .map((line) => parse(line))
      .find((line) => line?.msg === message);
    if (!found && hasEnded) throw new Error(`The platform ended while starting:\n${output()}`);
    return found !== undefined;
  });
  return found!;
}

function parse(line: string): { msg?: string; setupLink?: string } | undefined {
  try {
    return JSON.parse(line) as { msg?: string; setupLink?: string };
  } catch {
    return undefined;
  }
}
