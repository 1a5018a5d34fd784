import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import type { Config } from '../config.ts';
import type { Store } from '../db/pool.ts';
import type { Log } from '../lib/log.ts';
import { addressForOthers } from '../lib/address-for-others.ts';
import { createPeerServer } from '../lib/peer-tls.ts';
import type { ObjectServer } from '../objects/server/object-server.ts';
import { announceApi, purgeSilentApis, withdrawApi } from '../routing/api-store.ts';
import { API_PURPOSE, OBJECTS_PURPOSE } from '../routing/api-purposes.ts';
import { apiNameOf } from '../routing/edge-names.ts';
import type { Keyring } from '../secrets/keyring.ts';
import { platformSecret } from '../secrets/platform-secrets-store.ts';
import { StartRefused } from '../supervisor/start-refused.ts';

export interface PeerDoorOptions {
  config: Config;
  store: Store;
  keyring: Keyring;
  log: Log;
  app: FastifyInstance;
  objectServer: ObjectServer;
}

export interface PeerDoor {
  /** No edge sends anything new here. */
  withdraw(): Promise<void>;
  /** Gives what is under way this long to end. */
  close(graceMs: number): Promise<void>;
}

/** Much less than an edge waits before it gives an api up. */
const ANNOUNCE_EVERY_MS = 2000;
const LOOK_EVERY_MS = 50;
const LAST_WORDS_MS = 500;

/** Where edges of other hosts reach this api. Null: they are not meant to. */
export async function openPeerDoor(options: PeerDoorOptions): Promise<PeerDoor | null> {
  const { config, app, objectServer, log } = options;
  if (!config.apiListen) return null;
  const secret = await platformSecret(options, 'edge-to-api');
  const server = createPeerServer({
    secret,
    takers: {
      [API_PURPOSE]: (socket) => void app.server.emit('connection', socket),
      [OBJECTS_PURPOSE]: (socket) => objectServer.take(socket),
    },
  });
  await listen(server, config.apiListen);
  server.on('error', (error) => log.error({ err: error }, 'The door for edges of other hosts is out of order'));
  const announcement = await startAnnouncing(options, config.apiListen);
  return {
    withdraw: () => announcement.withdraw(),
    async close(graceMs) {
      const closed = once(server, 'close');
      server.close();
      // Connections on which an answer was under way stay open after it: their other ends do not know yet.
      const closeIdle = setInterval(() => {
        app.server.closeIdleConnections();
        objectServer.closeIdle();
      }, LOOK_EVERY_MS);
      await Promise.race([closed, delay(graceMs, undefined, { ref: false })]);
      clearInterval(closeIdle);
    },
  };
}

async function listen(server: ReturnType<typeof createPeerServer>, at: { host: string; port: number }): Promise<void> {
  server.listen(at);
  try {
    await once(server, 'listening');
  } catch (error) {
    throw new StartRefused(
      `The api cannot listen at ${at.host}:${at.port} (${(error as Error).message}). ` +
        'Set LILAC_API_LISTEN to an address of this host and a port that is free.',
    );
  }
}

async function startAnnouncing(
  { config, store, log }: PeerDoorOptions,
  { host, port }: { host: string; port: number },
) {
  const said = { name: apiNameOf(config), host: addressForOthers(host, config.runtime.clusterRange), port };
  let isAway = false;
  let last: Promise<void> = Promise.resolve();
  const announce = async (): Promise<void> => {
    try {
      await announceApi(store.db, said);
      isAway = false;
    } catch (error) {
      if (!isAway) log.warn({ err: error }, 'Edges of other hosts could not be told that this api lives');
      isAway = true;
    }
  };
  await announce();
  await purgeSilentApis(store.db).catch(() => {});
  const timer = setInterval(() => {
    last = last.then(announce);
  }, ANNOUNCE_EVERY_MS);
  return {
    async withdraw(): Promise<void> {
      clearInterval(timer);
      const withdrawn = last.then(() => withdrawApi(store.db, said.name)).catch(() => {});
      await Promise.race([withdrawn, delay(LAST_WORDS_MS, undefined, { ref: false })]);
    },
  };
}
