import { setTimeout as delay } from 'node:timers/promises';
import { openStore } from '../../server/src/db/pool.ts';
import { identify, isAlive } from '../../server/src/lib/process-identity.ts';
import { processTree } from '../../server/src/lib/process-tree.ts';
import { storeAddressOf } from '../../server/src/store/store-address.ts';
import type { OutageSpec } from '../outages.ts';
import { during, signal, spell, untilApiAnswers, untilReplaced, type Strike } from './strike.ts';

/** Without its store the api says so; sites and servers are served on, and who sleeps cannot be woken. */
const spec = (what: string): OutageSpec => ({ what, parts: ['api', 'sleeper'], excuses: ['unavailable'] });

export const killStore = endStore('kill-store', 'SIGKILL');
/** As PostgreSQL is stopped in order: whoever is connected is told to go. */
export const stopStore = endStore('stop-store', 'SIGINT');

/** The store and all its sessions stand still: nobody is told anything. */
export const holdStore: Strike = (scene, step) =>
  during(scene, spec('hold-store'), async () => {
    const [main] = scene.handle.pids('store');
    if (main === undefined) return scene.events.tell('hold-store', 'there is none just now');
    const heldMs = spell(step, [1000, 12_000]);
    scene.events.tell('hold-store', `${main} for ${heldMs} ms`);
    const held = processTree(main).flatMap((pid) => identify(pid) ?? []);
    for (const { pid } of held) signal(pid, 'SIGSTOP');
    try {
      await delay(heldMs);
    } finally {
      for (const { pid } of held.filter(isAlive)) signal(pid, 'SIGCONT');
    }
    await untilApiAnswers(scene);
  });

/** Every connection to the store is cut, several times. */
export const cutStore: Strike = (scene, step) =>
  during(scene, spec('cut-store'), async () => {
    const store = openStore(storeAddressOf({ home: scene.handle.home, databaseUrl: null }), {
      max: 1,
      applicationName: 'chaos',
    });
    try {
      for (let count = 0; count <= step.roll % 4; count++) {
        const { rowCount } = await store.pool.query(CUT);
        scene.events.tell('cut-store', `${rowCount} connections`);
        await delay(300);
      }
    } catch (error) {
      scene.events.tell('cut-store', `the store is away: ${(error as Error).message}`);
    } finally {
      await store.close();
    }
    await untilApiAnswers(scene);
  });

const CUT = `
  select pg_terminate_backend(pid) from pg_stat_activity
  where pid <> pg_backend_pid() and backend_type = 'client backend'`;

function endStore(what: string, name: NodeJS.Signals): Strike {
  return (scene) =>
    during(scene, spec(what), async () => {
      const before = scene.handle.pids('store');
      const [victim] = before;
      if (victim === undefined) return scene.events.tell(what, 'there is none just now');
      scene.events.tell(what, `${name} to ${victim}`);
      signal(victim, name);
      await untilReplaced(scene, { role: 'store', victim, count: before.length });
      await untilApiAnswers(scene);
    });
}
