import { createAccount } from '../e2e/acknowledged-writes.ts';
import { startWrites, type WriteLoad } from '../e2e/database-load.ts';
import { createDatabases, type Databases } from '../e2e/databases.ts';
import { createDeployer, type Application, type Deployer, type Files } from '../e2e/deploying.ts';
import { startLoad, type Load } from '../e2e/load.ts';
import type { Platform } from '../e2e/platform.ts';
import { serverApp } from '../e2e/server-app.ts';
import type { DatabaseType } from '../contract/src/states.ts';
import type { Events } from './events.ts';
import { Ledger } from './ledger.ts';
import type { Problem } from './invariants/problem.ts';
import { Outages, type Part } from './outages.ts';
import type { PlatformHandle } from './platform-handle.ts';
import { ReleaseHistory } from './release-history.ts';
import { listTraces } from './traces.ts';
import { watchReleases, type ReleaseWatch } from './watch-releases.ts';
import { wordsOf } from './words.ts';

/** An application whose releases say which they are. */
export interface Subject extends Application {
  part: Part;
  filesFor(words: string): Files;
  /** What was asked to be live there. */
  history: ReleaseHistory;
}

/** A platform with people who use it, and everything that is known of what they were promised. */
export interface Scene {
  handle: PlatformHandle;
  deployer: Deployer;
  /** The deployer's. */
  token: string;
  databases: Databases;
  ledger: Ledger;
  events: Events;
  outages: Outages;
  /** Changes that were found to be lost while others were still made. */
  losses: Problem[];
  /** What the platform says of releases, all the time. */
  watch: ReleaseWatch;
  /** By what users can leave outside of the home: what was on the machine before. */
  tracesBefore: ReadonlySet<string>;
  /** The platform's own folder for temporary files; left out where it has that of the machine. */
  temporary?: string;
  /** Static; visited all the time. */
  site: Subject;
  /** Runs instances all the time; visited all the time. */
  server: Subject;
  /** Sleeps unless somebody comes. */
  sleeper: Subject;
  /** Rows are written to these all the time. */
  kept: readonly KeptDatabase[];
  /** By the name of what comes and goes: its id. */
  passing: { databases: Map<string, string>; applications: Map<string, string> };
  /** Every address that an application was ever given. */
  addresses: Set<string>;
  loads: readonly Load[];
}

export interface KeptDatabase {
  id: string;
  type: DatabaseType;
  url: string;
  writes: WriteLoad;
}

export interface SceneOptions {
  handle: PlatformHandle;
  events: Events;
  /** Of which a database is kept. */
  databaseTypes: readonly DatabaseType[];
  temporary?: string;
}

const CONNECTIONS = 4;
/** A steady load, not as much as the machine can bear: builds and boots want the same cores. */
const PAUSE_MS = 100;
const ROW_EVERY_MS = 50;
const FIRST_STORAGE_GB = 1;

export async function openScene({ handle, events, databaseTypes, temporary }: SceneOptions): Promise<Scene> {
  const platform = handle.current();
  const tracesBefore = new Set(listTraces().map(({ name }) => name));
  const { deployer, token } = await openDeployer(platform);
  const databases = createDatabases(deployer);
  const [ledger, outages] = [new Ledger(), new Outages()];
  const kept = await Promise.all(databaseTypes.map((type) => keepDatabase({ databases, ledger }, type)));
  const found = (part: Part, filesFor: Subject['filesFor'], isServer: boolean) =>
    foundSubject({ deployer, ledger }, { part, filesFor, isServer });
  const site = await found('site', siteFiles, false);
  const server = await found('server', serverApp, true);
  const sleeper = await found('sleeper', serverApp, true);
  ledger.ask('name', sleeper.part).acknowledged();
  const ranges = ledger.ask('scale', '1-2');
  await deployer.client.call('environments.scale', {
    body: {
      targetOrganisationId: deployer.targetOrganisationId,
      environmentId: server.environmentId,
      minInstances: 1,
      maxInstances: 2,
    },
  });
  ranges.acknowledged();
  events.tell('scene', 'everything is there');
  const passing = { databases: new Map<string, string>(), applications: new Map<string, string>() };
  const addresses = new Set([site, server, sleeper].map(({ url }) => url));
  const loads = [site, server].map((subject) => sendVisitors({ events, outages }, subject));
  const subjects = { site, server, sleeper };
  const watch = watchReleases({ handle, deployer, events }, [site, server, sleeper]);
  const people = { deployer, token, databases, ledger, losses: [] };
  return {
    handle,
    temporary,
    ...people,
    events,
    outages,
    watch,
    tracesBefore,
    ...subjects,
    kept,
    passing,
    addresses,
    loads,
  };
}

const TELL_EVERY_MS = 1000;

/** Very many may fail at once, and then it is told now and then; all are counted. */
export function sendVisitors(
  { events, outages }: Pick<Scene, 'events' | 'outages'>,
  subject: Pick<Subject, 'url' | 'part' | 'history'>,
): Load {
  const { url, part, history } = subject;
  let told = { message: '', at: 0 };
  return startLoad({
    url,
    connections: CONNECTIONS,
    pauseMs: PAUSE_MS,
    isRight: ({ status, body, startedAt }) => status === 200 && history.mayShow(body, startedAt),
    onRefused: (refusal) => outages.noteRetried({ part, ...refusal }),
    onClosed: (closing) => outages.noteRetried({ part, ...closing }),
    onFailure(failure) {
      const { message, startedAt, endedAt } = failure;
      outages.note({ part, ...failure });
      if (message === told.message && endedAt - told.at < TELL_EVERY_MS) return;
      told = { message, at: endedAt };
      events.tell(part, `a visitor was answered: ${message} (live when they came: "${history.liveAt(startedAt)}")`);
    },
  });
}

/** With a key, which does not expire. */
async function openDeployer(platform: Platform): Promise<{ deployer: Deployer; token: string }> {
  const account = await createAccount(platform);
  const { client, targetOrganisationId } = createDeployer(platform, account);
  const { secret } = await client.call('api-keys.create', {
    body: { targetOrganisationId, name: 'chaos', role: 'admin' },
  });
  return { deployer: createDeployer(platform, { ...account, token: secret }), token: secret };
}

async function keepDatabase(
  { databases, ledger }: Pick<Scene, 'databases' | 'ledger'>,
  type: DatabaseType,
): Promise<KeptDatabase> {
  const id = await databases.create(`Kept in ${type}`, { databaseType: type, storageGb: FIRST_STORAGE_GB });
  ledger.ask(`storage ${id}`, String(FIRST_STORAGE_GB)).acknowledged();
  await databases.settled(id);
  const url = await databases.url(id);
  return { id, type, url, writes: await startWrites(url, 1, ROW_EVERY_MS) };
}

const siteFiles = (words: string): Files => ({ 'index.html': words, 'style.css': 'p { color: purple }\n'.repeat(500) });

async function foundSubject(
  { deployer, ledger }: Pick<Scene, 'deployer' | 'ledger'>,
  { part, filesFor, isServer }: { part: Part; filesFor: Subject['filesFor']; isServer: boolean },
): Promise<Subject> {
  const words = wordsOf(part, 0);
  const history = new ReleaseHistory();
  const release = history.ask(words);
  const application = await deployer.createFromFiles(part, filesFor(words), {
    deploymentType: isServer ? 'container' : 'static',
  });
  const { id } = await deployer.healthy((await deployer.newest(application)).id);
  ledger.noteDeployment({ environmentId: application.environmentId, id, words });
  ledger.ask(`live ${application.environmentId}`, words).acknowledged();
  release.acknowledged(id);
  history.noteLive(id);
  return { ...application, part, filesFor, history };
}
