import { statSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { pathsOf, type Config } from '../../config.ts';
import { run } from '../../lib/exec.ts';
import type { Log } from '../../lib/log.ts';
import { PROGRAM_PATH } from '../../sandbox/launch.ts';
import { EngineRefused, type Engine } from '../engine.ts';
import { placesOf } from '../host/places-of.ts';
import type { ServerHost, ServerPlace } from '../host/server-host.ts';
import { copyTemplate, finishFiles } from '../files/make-files.ts';
import { readMark } from '../files/whole-mark.ts';
import type { ServerSpec } from '../server.ts';
import { ensureCertificate } from '../tls/own-certificate.ts';
import { keepAccess, setAccess } from './access.ts';
import { hostOf } from './account-hosts.ts';
import { createDatabase, emptyDatabase, setPassword } from './accounts.ts';
import { keepBrake, setBrake } from './brake.ts';
import { connectAsPlatform, platformUser } from './connect.ts';
import { createStandby } from './create-standby.ts';
import { createProgramFinder } from './find-programs.ts';
import { keepPacketLimit } from './packet-limit.ts';
import { readFollower, writeFollower } from './follower-record.ts';
import { countConnections, readHealth, untilQuiet } from './health.ts';
import { isInStep, keepLogBounded, letGo, makeSynchronous, promote } from './replication.ts';
import { connectionsFor, OWN_FOLDERS } from './settings.ts';
import { startServer } from './start-server.ts';
import { ensureTemplate } from './template.ts';

export interface MysqlDeps {
  config: Pick<Config, 'home' | 'databases'>;
  host: ServerHost;
  log: Log;
  transfer: Pick<Engine, 'dump' | 'load'>;
  explore: Engine['explorer'];
}

const QUIET_MS = 500;
const STOP = [{ signal: 'SIGTERM', waitMs: 60_000 }] as const;

export function createMysql({ config, host, log, transfer, explore }: MysqlDeps): Engine {
  const templates = pathsOf(config).databaseTemplates;
  const programs = createProgramFinder();
  const { placeOf, homeOf, takePlace, isRunning, list, onExit, grow } = placesOf(host, 'mysql');

  async function wholePlaceOf({ id }: ServerSpec): Promise<ServerPlace> {
    const place = await placeOf(id);
    if (!readMark(place.home)) throw new EngineRefused(`The files of the server ${id} are not whole.`);
    return place;
  }

  async function certify({ home }: ServerPlace): Promise<void> {
    const names = [config.databases.host, hostname(), 'localhost'];
    await ensureCertificate(join(home, OWN_FOLDERS.certificate), names);
  }

  async function start(
    spec: ServerSpec,
    { waitsToFollow = false, signal }: { waitsToFollow?: boolean; signal?: AbortSignal | undefined } = {},
  ): Promise<void> {
    const place = await wholePlaceOf(spec);
    const own = await programs.findFor(spec.version);
    if (own.series !== spec.version) {
      log.warn({ server: spec.id, from: spec.version, to: own.series }, 'a database runs with a newer MariaDB');
    }
    await startServer({ host, place, spec, programs: own, waitsToFollow, signal });
  }

  async function stop(serverId: string): Promise<void> {
    const place = await host.find(serverId);
    if (place && host.isRunning(serverId)) await untilQuiet(place.home, QUIET_MS).catch(() => {});
    await host.end(serverId, STOP);
  }

  /** The primary would go on keeping a log for a standby that is no more, after its next start. */
  async function forgetStandby(standbyId: string): Promise<void> {
    for (const serverId of host.list('mysql')) {
      const place = serverId === standbyId ? null : await host.find(serverId);
      if (place && readFollower(place).standbyId === standbyId) {
        if (readFollower(place).isSynchronous && host.isRunning(serverId)) await letGo(place);
        writeFollower(place, { standbyId: null, isSynchronous: false });
      }
    }
  }

  return {
    type: 'mysql',
    label: 'MySQL (MariaDB)',

    async availability() {
      const { programs: own, missing } = await programs.find();
      if (!own) return { version: null, missing };
      try {
        platformUser();
        return { version: own.series, missing: null };
      } catch (error) {
        return { version: null, missing: (error as Error).message };
      }
    },
    async prepare() {
      const { programs: own } = await programs.find();
      if (own) await ensureTemplate(templates, own);
    },

    async create(spec) {
      const template = await ensureTemplate(templates, await programs.findFor(spec.version));
      const place = await takePlace(spec);
      if (readMark(place.home)) return;
      await host.kill(spec.id);
      await copyTemplate(place, template);
      await allocateRedo(place);
      await certify(place);
      await finishFiles(place, spec.version);
    },
    start: (spec, signal) => start(spec, { signal }),
    stop,
    kill: (serverId) => host.kill(serverId),
    async destroy(serverId) {
      await host.remove(serverId);
      await forgetStandby(serverId);
    },
    isRunning,
    probe: async (spec, timeoutMs) => readHealth(await homeOf(spec), timeoutMs),
    list,
    onExit,
    async usage(spec) {
      const place = await placeOf(spec.id);
      if (spec.role === 'primary') await keepBrake(place.home);
      await using session = await connectAsPlatform(place.home);
      await keepLogBounded(session, spec.size.storageGb * 1024 ** 3);
      const [{ cpuSeconds, memoryBytes }, { usedBytes }, connections] = await Promise.all([
        host.usage(place),
        host.space(place),
        countConnections(session),
      ]);
      return { cpuSeconds, memoryBytes, storageBytes: usedBytes, connections };
    },

    createDatabase: async (spec, owner) => createDatabase(await homeOf(spec), spec.access, owner),
    setPassword: async (spec, owner) => setPassword(await homeOf(spec), owner),
    assertNetwork: (network) => void hostOf(network),
    connectionsOf: ({ memoryMb }) => connectionsFor(memoryMb),
    async setAccess(spec) {
      // A standby has the accounts of its primary, and lets in nobody.
      if (spec.role === 'primary' && host.isRunning(spec.id)) await setAccess(await homeOf(spec), spec.access);
    },
    async keepAccess(spec) {
      if (spec.role !== 'primary' || !host.isRunning(spec.id)) return;
      const home = await homeOf(spec);
      await keepAccess(home, spec.access);
      await keepPacketLimit(home, spec.size.memoryMb);
    },
    async setWritable(spec, isWritable) {
      const place = await placeOf(spec.id);
      if (spec.role === 'primary') await setBrake(place.home, !isWritable);
      if (isWritable) await host.keepReserve(place);
    },
    grow,

    async createStandby(primary, standby, signal) {
      // Its place has files before they are whole, so that it is started only here.
      const places = { primary: await placeOf(primary.id), standby: await takePlace(standby) };
      await createStandby({ host, primary, standby, places, start, stop, certify, signal });
    },
    async setSynchronous(primary, standbyId) {
      const place = await placeOf(primary.id);
      if (standbyId === null) await letGo(place);
      else await makeSynchronous({ host, primary: place, standby: await placeOf(standbyId) });
    },
    async isInStep(primary, standbyId) {
      const standby = await host.find(standbyId);
      return standby !== null && isInStep({ host, primary: await placeOf(primary.id), standby });
    },
    promote: async (standby) => promote(await wholePlaceOf(standby)),

    dump: transfer.dump,
    load: transfer.load,
    // Its definitions commit one by one.
    hasCommitted: async () => false,
    empty: async (spec, owner) => emptyDatabase(await homeOf(spec), spec.access, owner),
    explorer: explore,

    open: () => host.open(),
    close: () => host.close(),
  };
}

/** Its log of transactions must not want for room, so none of it is left to be given later. */
async function allocateRedo({ home }: ServerPlace): Promise<void> {
  const path = join(home, 'ib_logfile0');
  await run(['fallocate', '--keep-size', '--offset', '0', '--length', String(statSync(path).size), path], {
    env: { PATH: PROGRAM_PATH },
  });
}
