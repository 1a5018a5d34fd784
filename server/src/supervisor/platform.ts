import { availableParallelism } from 'node:os';
import { writeHttpsLack } from '../certificates/https-lack-file.ts';
import { pathsOf, type Config } from '../config.ts';
import { ensureStorePassword } from '../store/store-address.ts';
import { guardOutputs, type OutputGuard } from '../wire/outputs.ts';
import { launchRole } from './launch-role.ts';
import type { Output } from './output.ts';
import { openPublicPort, openTlsPort, type PublicPort } from './public-port.ts';
import { forgetReady, recordReady } from './ready-file.ts';
import type { RoleName } from './role-messages.ts';
import { RoleProcess } from './role-process.ts';
import { awaitLeftRoles, removeRolesFile, writeRolesFile, type RolePids } from './roles-file.ts';
import type { ServerOptions } from './server-options.ts';
import { keepStoreRunning, type KeptStore } from './store-keeper.ts';

/** Every process of this installation. */
export interface Platform {
  /** Settles when all have been ready; rejects when one cannot run. */
  ready: Promise<unknown>;
  /** Where https is served; null where it is not. */
  tlsPort: number | null;
  /** The set-up link, or null when there is none to give. */
  setupLink(): Promise<string | null>;
  restartRoles(): void;
  stop(): Promise<void>;
}

export interface PlatformOptions {
  /** The file that every role runs, as this process does. */
  program: string;
  config: Config;
  options: ServerOptions;
  output: Output;
}

/** Together under ten seconds, with the store's own steps (see stopEmbeddedStore), whatever hangs. */
const STOP_EDGE_MS = 2500;
const STOP_API_MS = 2000;
const STOP_WORKER_MS = STOP_EDGE_MS + STOP_API_MS;
/** How long roles of a killed supervisor may take to finish: as long as they take when told to. */
const LEFT_ROLES_MS = STOP_WORKER_MS + 500;
const SETUP_LINK_MS = 3000;

export async function startPlatform({ program, config, options, output }: PlatformOptions): Promise<Platform> {
  recordLack(config, null, output);
  forgetReady(config);
  await awaitLeftRoles(config, LEFT_ROLES_MS);
  const ports = options.roles.has('edge') ? await openPorts(config, output) : null;
  const record = () => recordRoles(pathsOf(config).roles, pidsOf(roles, store), output);
  const roles: RoleProcess[] = [];
  // The roles start beside the store and wait for it by themselves: loading them takes as long.
  const store = options.embeddedStore ? startStore(config, output, () => record()) : null;
  for (const launch of launches({ program, config, options, ports })) {
    roles.push(new RoleProcess({ ...launch, output, onChange: () => record() }));
  }
  record();
  // One that cannot run is told of elsewhere.
  recordReady(config, roles).catch(() => {});
  const guard = guardOutputs({ config, say: (message, fields) => output.say('warn', message, fields) });
  for (const role of roles) if (role.role === 'worker') shareOutputs(role, guard);
  return {
    ready: Promise.all([store?.firstReady, ...roles.map((role) => role.firstReady)]),
    tlsPort: ports?.https?.port ?? null,
    setupLink: () => askForSetupLink(roles.find((role) => role.role === 'api')),
    restartRoles: () => roles.forEach((role) => role.restart()),
    async stop() {
      // A signal may have reached them too: none is to end before it is its turn.
      for (const role of roles) role.expectEnd();
      await stopAll(roles, store, ports);
      await guard.close();
      removeRolesFile(pathsOf(config).roles);
      forgetReady(config);
    },
  };
}

/** A worker has them as long as it lives; whenever there is none, the guard has. */
function shareOutputs(worker: RoleProcess, guard: OutputGuard): void {
  const give = async (pid: number) => {
    await guard.handOver();
    // Killed meanwhile: they were taken back, and the next one asks for itself.
    if (worker.pid === pid) worker.send({ type: 'outputs-are-yours' });
  };
  worker.onMessage(({ type }) => {
    // It may be the word of one that is gone already.
    if (type === 'take-outputs' && worker.pid !== null) void give(worker.pid);
  });
  worker.onEnd(() => guard.takeBack());
}

/** Others look there, but nothing depends on it: a full disk must not end the platform. */
function recordRoles(path: string, pids: RolePids, output: Output): void {
  try {
    writeRolesFile(path, pids);
  } catch (error) {
    output.say('warn', 'The list of processes could not be written', { path, reason: (error as Error).message });
  }
}

interface PublicPorts {
  http: PublicPort;
  https: PublicPort | null;
}

async function openPorts(config: Config, output: Output): Promise<PublicPorts> {
  const processes = edgeProcesses(config);
  const http = await openPublicPort(config, processes);
  const https = await openTlsPort(config, processes, (reason) => {
    recordLack(config, reason, output);
    output.say('warn', 'There is no https', { reason });
  });
  return { http, https };
}

/** Like the list of processes, it must not end the platform. */
function recordLack(config: Config, reason: string | null, output: Output): void {
  const path = pathsOf(config).httpsLack;
  try {
    writeHttpsLack(path, reason);
  } catch (error) {
    output.say('warn', 'That there is no https could not be noted', { path, reason: (error as Error).message });
  }
}

function edgeProcesses(config: Config): number {
  return config.edgeProcesses ?? availableParallelism();
}

function startStore(config: Config, output: Output, onChange: () => void): KeptStore {
  const paths = pathsOf(config);
  const password = ensureStorePassword(paths.storePassword);
  return keepStoreRunning({ store: { directory: paths.store, logFile: paths.storeLog, password }, output, onChange });
}

interface LaunchesOptions {
  program: string;
  config: Config;
  options: ServerOptions;
  ports: PublicPorts | null;
}

function launches({ program, config, options, ports }: LaunchesOptions) {
  const plain = (['api', 'worker'] as const).filter((role) => options.roles.has(role));
  const lacksHttps = ports !== null && ports.https === null;
  return [
    ...plain.map((role) => ({
      role: role as RoleName,
      launch: () => launchRole({ program, role, config, lacksHttps }),
    })),
    ...(ports?.http.descriptors ?? []).map((http, place) => ({
      role: 'edge' as RoleName,
      launch: () =>
        launchRole({
          program,
          role: 'edge',
          config,
          place,
          ports: { http, https: ports?.https?.descriptors[place] ?? null },
          lacksHttps,
        }),
    })),
  ];
}

function pidsOf(roles: readonly RoleProcess[], store: KeptStore | null): RolePids {
  const pids: RolePids = { supervisor: [process.pid], store: [store?.pid() ?? []].flat() };
  for (const { role, pid } of roles) pids[role] = [...(pids[role] ?? []), ...(pid === null ? [] : [pid])];
  return pids;
}

function askForSetupLink(api: RoleProcess | undefined): Promise<string | null> {
  if (!api) return Promise.resolve(null);
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(null), SETUP_LINK_MS);
    const forget = api.onMessage((message) => {
      if (message.type !== 'setup-link') return;
      clearTimeout(timer);
      forget();
      resolve(message.url);
    });
    api.send({ type: 'issue-setup-link' });
  });
}

/** Nobody new gets in, then what is under way ends, then the store goes. */
async function stopAll(
  roles: readonly RoleProcess[],
  store: KeptStore | null,
  ports: PublicPorts | null,
): Promise<void> {
  const stopEach = (role: RoleName, timeoutMs: number) =>
    Promise.all(roles.filter((each) => each.role === role).map((each) => each.stop(timeoutMs)));
  ports?.http.close();
  ports?.https?.close();
  const worker = stopEach('worker', STOP_WORKER_MS);
  await stopEach('edge', STOP_EDGE_MS);
  await stopEach('api', STOP_API_MS);
  await worker;
  await store?.stop();
}
