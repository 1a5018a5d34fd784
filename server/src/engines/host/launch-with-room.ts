import { EngineRefused } from '../engine.ts';
import { becomesFree } from '../port-free.ts';
import type { ServerHost, ServerPlace } from './server-host.ts';

export interface RoomyLaunch {
  host: Pick<ServerHost, 'space' | 'giveUpReserve'>;
  place: ServerPlace;
  port: number;
  /** With less than this the server cannot even recover. */
  neededBytes: number;
  /** Resolves when the server can be reached. Called once more where it failed for want of room. */
  launch: () => Promise<void>;
  /** Whether that is what the server died of, by its last words. */
  isOutOfSpace: (words: string) => boolean;
  /** Keeps the server from taking more: what is left is to free space with. */
  brake: () => Promise<void>;
}

/** A server without room to start in gets the reserve of its volume, and has the brake on then. */
export async function launchWithRoom(wants: RoomyLaunch): Promise<void> {
  const { host, place, port, launch } = wants;
  if (!(await becomesFree(port))) throw new EngineRefused(`Port ${port} is taken by another program.`);
  let hadRoom = await hasRoom(wants);
  if (!hadRoom) await host.giveUpReserve(place);
  try {
    await launch();
  } catch (error) {
    if (!hadRoom || !wants.isOutOfSpace(String(error))) throw error;
    hadRoom = false;
    await host.giveUpReserve(place);
    await launch();
  }
  if (!hadRoom) await wants.brake();
}

async function hasRoom({ host, place, neededBytes }: RoomyLaunch): Promise<boolean> {
  const { usedBytes, hardBytes } = await host.space(place);
  return hardBytes === null || hardBytes - usedBytes > neededBytes;
}
