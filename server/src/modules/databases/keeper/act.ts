import type { DatabaseServerRow } from '../../../db/schema.ts';
import { EngineAway, EngineRefused } from '../../../engines/engine.ts';
import { mustBeShut, withShutDoors } from '../shut-doors.ts';
import { specOf } from '../spec-of.ts';
import { addStandby } from '../standby/add-standby.ts';
import { engineOf, goInStep, letGo } from '../standby/in-step.ts';
import { removeStandby } from '../standby/remove-standby.ts';
import { markUnmade } from '../standby/standby-store.ts';
import type { AddressKeeper } from './address-keeper.ts';
import type { Action } from './decide.ts';
import { failOver } from './fail-over.ts';
import type { KeeperWorld } from './keeper-deps.ts';
import { isAtWall } from './storage.ts';
import { tellEvent } from '../tell-event.ts';
import { memoryOf, noteDown, notePairingFailure, noteUntried, noteUp, renew, situationOf, type Ward } from './ward.ts';
import { NO_TRIES } from './try-record.ts';
import { setFull } from './watch-storage.ts';

/** What takes long, and must not keep the keeper from noticing that a server has died meanwhile. */
export const isLong = (action: Action): boolean =>
  action === 'make a standby' || action === 'make the standby anew' || action === 'bring into step';

/** What went wrong on our side is in our words, of files and numbers of errors: they are for the log. */
const ASK_OPERATOR = "If that lasts, ask the operator: the platform's log says why.";

export interface Doing {
  addresses: AddressKeeper;
  signal: AbortSignal;
}

/** Does one thing; the caller holds the database. What fails is noted, and tried again when its time has come. */
export async function act(world: KeeperWorld, ward: Ward, action: Action, doing: Doing): Promise<void> {
  const { database, primary, standby } = ward.pair;
  switch (action) {
    case 'nothing':
      return;
    case 'end the primary':
      world.log.error({ database: ward.id, server: primary.id }, 'a server of a database hangs; it is ended');
      // Where that cannot be, as while an engine of Docker is away, it is tried after one more silence.
      ward.missedAnswers = world.timing.hungAfter - 1;
      await engineOf(world, database).kill(primary.id);
      ward.missedAnswers = 0;
      return noteDown(world, ward, primary.id, null);
    case 'fail over':
      return replacePrimary(world, ward, doing);
    case 'start the primary':
      if (await startServer(world, ward, primary, doing.signal)) await tellRestart(world, ward);
      return;
    case 'start the standby':
      await startServer(world, ward, standby!, doing.signal);
      return;
    case 'remove the standby':
      return removeStandby(world, ward.id);
    case 'make the standby anew':
      await markUnmade(world.store.db, standby!.id);
      return pairUp(world, ward, () => addStandby(world, ward.id, doing.signal));
    case 'make a standby':
      return pairUp(world, ward, () => addStandby(world, ward.id, doing.signal));
    case 'bring into step':
      return pairUp(world, ward, () => goInStep(world, ward.id, doing.signal));
  }
}

async function replacePrimary(world: KeeperWorld, ward: Ward, { addresses }: Doing): Promise<void> {
  const { id: oldId } = ward.pair.primary;
  const beganMs = performance.now();
  const after = await failOver(world, addresses, ward.id).catch((error: unknown) => {
    noteDown(world, ward, ward.pair.standby!.id, null);
    throw error;
  });
  if (!after) return;
  renew(ward, after);
  ward.pairing = NO_TRIES;
  ward.servers.delete(oldId);
  noteUp(ward, after.primary.id);
  const tookMs = Math.round(performance.now() - beganMs);
  world.log.warn({ database: ward.id, from: oldId, to: after.primary.id, tookMs }, 'a standby has taken over');
  if (after.database.is_full) await setFull(world, ward, true);
}

/** Whether it runs. Where its storage has run out, it gets its reserve, and takes no writes afterwards. */
async function startServer(
  world: KeeperWorld,
  ward: Ward,
  server: DatabaseServerRow,
  signal: AbortSignal,
): Promise<boolean> {
  const { host, config, log } = world;
  try {
    const place = await host.find(server.id);
    const isOut = place !== null && isAtWall(await host.space(place));
    if (isOut) await host.giveUpReserve(place);
    // One that nobody has seen end was stopped, or its machine was: that is no reason to worry.
    const isOdd = isOut || memoryOf(ward, server.id).tries.count > 0;
    const about = { database: ward.id, server: server.id, isOut };
    log[isOdd ? 'warn' : 'info'](about, 'a server of a database is not running; it is started');
    // Nobody waits for a standby that is down, and once it was, it is not in step until it is brought there again.
    const isAwaited = server.role === 'standby' && server.in_step && situationOf(world, ward).primary.isRunning;
    if (isAwaited) await letGo(world, ward.id);
    ward.startingId = server.id;
    const spec = specOf(config, ward.pair.database, server);
    await engineOf(world, ward.pair.database).start(
      mustBeShut(ward.pair.database) ? withShutDoors(spec) : spec,
      signal,
    );
    ward.startingId = null;
    noteUp(ward, server.id);
    const isFull = isOut || ward.pair.database.is_full;
    if (isFull && server.role === 'primary') await setFull(world, ward, true);
    return true;
  } catch (error) {
    if (signal.aborted) return false;
    log.error({ err: error, database: ward.id, server: server.id }, 'a server of a database does not start');
    if (error instanceof EngineAway) noteUntried(world, ward, server.id, error.message);
    else noteDown(world, ward, server.id, error instanceof EngineRefused ? error.message : ASK_OPERATOR);
    return false;
  } finally {
    ward.startingId = null;
  }
}

async function tellRestart({ store }: KeeperWorld, ward: Ward): Promise<void> {
  const { database, primary } = ward.pair;
  const memory = memoryOf(ward, primary.id);
  if (memory.isRestartTold) return;
  // Beforehand: it may end again meanwhile.
  memory.isRestartTold = true;
  await store.db.transaction().execute((tx) => tellEvent(tx, database, 'database_restarted'));
}

async function pairUp(world: KeeperWorld, ward: Ward, work: () => Promise<void>): Promise<void> {
  try {
    await work();
    ward.pairing = NO_TRIES;
    world.log.info({ database: ward.id }, 'a standby is in step');
  } catch (error) {
    if (world.stopping.aborted) return;
    world.log.warn({ err: error, database: ward.id }, 'a standby could not be brought into step');
    notePairingFailure(world, ward);
  }
}
