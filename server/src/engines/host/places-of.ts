import type { DatabaseType } from '@lilac/contract/states';
import { EngineRefused, type Engine } from '../engine.ts';
import type { ServerSpec } from '../server.ts';
import type { ServerHost, ServerPlace } from './server-host.ts';

/** What engines of one kind need of the host's places, whatever runs in them. */
export interface Places extends Pick<Engine, 'isRunning' | 'list' | 'onExit' | 'grow'> {
  placeOf: (serverId: string) => Promise<ServerPlace>;
  homeOf: (spec: Pick<ServerSpec, 'id'>) => Promise<string>;
  /** Makes the place, or gives the one that is there. */
  takePlace: (spec: ServerSpec) => Promise<ServerPlace>;
}

export function placesOf(host: ServerHost, type: DatabaseType): Places {
  async function placeOf(serverId: string): Promise<ServerPlace> {
    const place = await host.find(serverId);
    if (!place) throw new EngineRefused(`The server ${serverId} is not on this machine.`);
    return place;
  }

  return {
    placeOf,
    homeOf: async ({ id }) => (await placeOf(id)).home,
    takePlace: ({ id, databaseId, size }) => host.take(id, { type, databaseId, size }),
    isRunning: (serverId) => host.isRunning(serverId),
    list: async () => host.list(type),
    onExit: (listener) =>
      host.onExit((serverId) => {
        if (host.list(type).includes(serverId)) listener(serverId);
      }),
    async grow(serverId, storageGb) {
      const place = await placeOf(serverId);
      await host.grow(serverId, storageGb);
      await host.keepReserve(place);
    },
  };
}

/** Where the server's socket is. People who look into a database do not know its servers by their ids. */
export async function homeOf(host: Pick<ServerHost, 'find'>, serverId: string): Promise<string> {
  const place = await host.find(serverId);
  if (!place) throw new EngineRefused('The server of this database is not on this machine.');
  return place.home;
}
