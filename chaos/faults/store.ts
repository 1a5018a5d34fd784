import { setTimeout as delay } from 'node:timers/promises';
import { openStore } from '../../server/src/db/pool.ts';
import { identify, isAlive } from '../../server/src/lib/process-identity.ts';
import { processTree } from '../../server/src/lib/process-tree.ts';
import { storeAddressOf } from '../../server/src/store/store-address.ts';
import type { OutageSpec } from '../outages.ts';
import type { Scene } from '../scene.ts';
import { during, foundNobody, signal, spell, struck, untilApiAnswers, untilReplaced, type Strike } from './strike.ts';

/**
 * Without its store the api says so; sites and servers are served on, and who sleeps cannot be woken. An edge that
 * starts meanwhile begins by what was written down last.
 */
const spec = (what: string): OutageSpec => ({
  what,
  harms: 'foundation',
  disturbs: { api: ['unavailable'], sleeper: ['unavailable'], site: ['old'], server: ['old'] },
  isInterruption: true,
});

export const killStore = endStore('kill-store', 'SIGKILL');
/** As PostgreSQL is stopped in order: whoever is connected is told to go. */
export const stopStore = endStore('stop-store', 'SIGINT');

/** The store and all its sessions stand still: nobody is told anything. */
export const holdStore: Strike = (scene, step) =>
  during(scene, spec('hold-store'), async () => {
    const [main] = scene.handle.pids('store');
    if (main === undefined) return foundNobody(scene, 'hold-store');
    const heldMs = spell(step, [1000, 12_000]);
    const held = processTree(main)
      .flatMap((pid) => identify(pid) ?? [])
      .filter(({ pid }) => signal(pid, 'SIGSTOP'));
    if (held.length === 0) return foundNobody(scene, 'hold-store');
    scene.events.tell('hold-store', `${main} for ${heldMs} ms`);
    try {
      await delay(heldMs);
    } finally {
      for (const { pid } of held.filter(isAlive)) signal(pid, 'SIGCONT');
    }
    return struck(() => untilApiAnswers(scene));
  });

/** Every connection to the store is cut, several times. */
export const cutStore: Strike = (scene, step) =>
  during(scene, spec('cut-store'), async () => {
    const count = await cutConnections(scene, 1 + (step.roll % 4));
    return count > 0 ? struck(() => untilApiAnswers(scene)) : foundNobody(scene, 'cut-store');
  });

/** How many were cut. */
async function cutConnections({ handle, events }: Scene, times: number): Promise<number> {
  const store = openStore(storeAddressOf({ home: handle.home, databaseUrl: null }), {
    max: 1,
    applicationName: 'chaos',
  });
  let count = 0;
  try {
    for (let round = 0; round < times; round++) {
      const { rowCount } = await store.pool.query(CUT);
      count += rowCount ?? 0;
      events.tell('cut-store', `${rowCount} connections`);
      await delay(300);
    }
  } catch (error) {
    events.tell('cut-store', `the store is away: ${(error as Error).message}`);
  } finally {
    await store.close();
  }
  return count;
}

const CUT = `
  select pg_terminate_backend(pid) from pg_stat_activity
  where pid <> pg_backend_pid() and backend_type = 'client backend'`;

function endStore(what: string, name: NodeJS.Signals): Strike {
  return (scene) =>
    during(scene, spec(what), async () => {
      const before = scene.handle.pids('store');
      const [victim] = before;
      if (victim === undefined || !signal(victim, name)) return foundNobody(scene, what);
      scene.events.tell(what, `${name} to ${victim}`);
      return struck(async () => {
        await untilReplaced(scene, { role: 'store', victim, count: before.length });
        await untilApiAnswers(scene);
      });
    });
}
