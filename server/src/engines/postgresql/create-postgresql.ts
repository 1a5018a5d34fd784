import { hostname } from 'node:os';
import { pathsOf, type Config } from '../../config.ts';
import type { Log } from '../../lib/log.ts';
import { EngineRefused, type Engine } from '../engine.ts';
import { placesOf } from '../host/places-of.ts';
import type { ServerHost, ServerPlace } from '../host/server-host.ts';
import type { ServerSpec } from '../server.ts';
import { ensureCertificate } from '../tls/own-certificate.ts';
import { createDatabase, emptyDatabase, setPassword } from './accounts.ts';
import { accessRulesOf, applySettings } from './apply-settings.ts';
import { setBrake } from './brake.ts';
import { confirmed } from './confirmed.ts';
import { connectAsPlatform } from './connect.ts';
import { createStandby } from './create-standby.ts';
import { endStrangers } from './end-sessions.ts';
import { createProgramFinder } from './find-programs.ts';
import { readFollows, removeFollows } from './follows-record.ts';
import { hasCommitted } from './has-committed.ts';
import { readHealth, countConnections } from './health.ts';
import { copyTemplate, finishFiles } from '../files/make-files.ts';
import { mendFlags } from './mend-flags.ts';
import { describeMissing } from './programs.ts';
import { reload } from './reload.ts';
import { isInStep, promote, setSynchronous } from './replication.ts';
import { connectionsFor } from './settings.ts';
import { releaseSharedMemory } from './shared-memory.ts';
import { dropSlots } from './slots.ts';
import { adjustServer, startServer } from './start-server.ts';
import { ensureTemplate } from './template.ts';
import { readMark } from '../files/whole-mark.ts';

export interface PostgresqlDeps {
  config: Pick<Config, 'home' | 'databases'>;
  host: ServerHost;
  log: Log;
  transfer: Pick<Engine, 'dump' | 'load'>;
  explore: Engine['explorer'];
}

/** First whoever is at it may end, then all are sent away; at last it is stopped as if it had crashed. */
const STOP = [
  { signal: 'SIGTERM', waitMs: 500 },
  { signal: 'SIGINT', waitMs: 60_000 },
  { signal: 'SIGQUIT', waitMs: 5000 },
] as const;

/** Nobody needs it any more: only what it shares with the machine is to be given back. */
const ABANDON = [{ signal: 'SIGQUIT', waitMs: 2000 }] as const;

export function createPostgresql({ config, host, log, transfer, explore }: PostgresqlDeps): Engine {
  const templates = pathsOf(config).databaseTemplates;
  const programs = createProgramFinder(config.databases.postgresqlPrograms);
  const { placeOf, homeOf, takePlace, isRunning, list, onExit, grow } = placesOf(host, 'postgresql');

  async function wholePlaceOf({ id, version }: ServerSpec): Promise<ServerPlace> {
    const place = await placeOf(id);
    const mark = readMark(place.home);
    if (!mark) throw new EngineRefused(`The files of the server ${id} are not whole.`);
    if (mark.version === version) return place;
    throw new EngineRefused(`The files of the server ${id} belong to PostgreSQL ${mark.version}, not ${version}.`);
  }

  async function start(spec: ServerSpec, signal?: AbortSignal): Promise<void> {
    const place = await wholePlaceOf(spec);
    await startServer({ host, place, spec, programs: await programs.findFor(spec.version), signal });
  }

  /** The primary would go on keeping everything for a standby that is no more. */
  async function forgetStandby(standby: ServerPlace): Promise<void> {
    const primaryId = readFollows(standby)?.primaryId;
    if (primaryId === undefined || !host.isRunning(primaryId)) return;
    await using session = await connectAsPlatform(await homeOf({ id: primaryId }));
    await dropSlots(session.client, (name) => name === standby.serverId);
  }

  return {
    type: 'postgresql',
    label: 'PostgreSQL',

    async availability() {
      const best = await programs.findForNew();
      if (best) return { version: String(best.series), missing: null };
      return { version: null, missing: describeMissing(config.databases.postgresqlPrograms) };
    },
    async prepare() {
      const best = await programs.findForNew();
      if (best) await ensureTemplate(templates, best);
    },

    async create(spec) {
      const template = await ensureTemplate(templates, await programs.findFor(spec.version));
      const place = await takePlace(spec);
      if (readMark(place.home)) return;
      await host.kill(spec.id);
      await copyTemplate(place, template);
      await ensureCertificate(place.home, [config.databases.host, hostname(), 'localhost']);
      await finishFiles(place, spec.version);
    },
    start,
    stop: (serverId) => host.end(serverId, STOP),
    kill: (serverId) => host.kill(serverId),
    async destroy(serverId) {
      // What cannot be opened any more is removed all the same.
      const place = await host.find(serverId).catch(() => null);
      if (place) {
        await host.end(serverId, ABANDON);
        await releaseSharedMemory(place);
        await forgetStandby(place).catch((error: unknown) =>
          log.warn({ err: error, server: serverId }, 'slot is left'),
        );
      }
      await host.remove(serverId);
    },
    isRunning,
    probe: async (spec, timeoutMs) => readHealth(await homeOf(spec), timeoutMs),
    list,
    onExit,
    async usage(spec) {
      const place = await placeOf(spec.id);
      if (spec.role === 'primary') await confirmed(place.home, ({ client }) => mendFlags(client));
      const [{ cpuSeconds, memoryBytes }, { usedBytes }, connections] = await Promise.all([
        host.usage(place),
        host.space(place),
        countConnections(place.home),
      ]);
      return { cpuSeconds, memoryBytes, storageBytes: usedBytes, connections };
    },

    createDatabase: async (spec, owner) => createDatabase(await homeOf(spec), seriesOf(spec), owner),
    setPassword: async (spec, owner) => setPassword(await homeOf(spec), owner),
    // It knows all of them.
    assertNetwork: () => {},
    connectionsOf: ({ memoryMb }) => connectionsFor(memoryMb),
    async setAccess(spec) {
      const place = await wholePlaceOf(spec);
      applySettings(place, spec);
      if (!host.isRunning(spec.id)) return;
      await reload(place.home);
      await using session = await connectAsPlatform(place.home);
      await endStrangers(session.client, accessRulesOf(spec));
    },
    async keepAccess(spec) {
      const place = await wholePlaceOf(spec);
      if (host.isRunning(spec.id)) await adjustServer(place, spec);
    },
    async setWritable(spec, isWritable) {
      const place = await placeOf(spec.id);
      await setBrake(place.home, !isWritable);
      if (isWritable) await host.keepReserve(place);
    },
    grow,

    async createStandby(primary, standby, signal) {
      const places = { primary: await placeOf(primary.id), standby: await takePlace(standby) };
      await createStandby({ host, primary, standby, places, start, signal });
    },
    setSynchronous: async (primary, standbyId) => setSynchronous(await homeOf(primary), standbyId),
    isInStep: async (primary, standbyId) => isInStep(await homeOf(primary), standbyId),
    async promote(standby) {
      const place = await wholePlaceOf(standby);
      applySettings(place, { ...standby, role: 'primary' });
      await promote(place.home);
      await reload(place.home);
      removeFollows(place);
    },

    dump: transfer.dump,
    load: transfer.load,
    hasCommitted: async (spec, transactionId) => hasCommitted(await homeOf(spec), transactionId),
    empty: async (spec, owner) => emptyDatabase(await homeOf(spec), seriesOf(spec), owner),
    explorer: explore,

    open: () => host.open(),
    close: () => host.close(),
  };
}

const seriesOf = ({ version }: ServerSpec): number => Number.parseInt(version, 10);
