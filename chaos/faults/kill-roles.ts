import { setTimeout as delay } from 'node:timers/promises';
import type { FailureKind, OutageSpec } from '../outages.ts';
import { during, foundNobody, signal, spell, struck, untilApiAnswers, untilReplaced, type Strike } from './strike.ts';

/** `kill -9` of the platform's own processes. */

const everything = (...kinds: FailureKind[]): OutageSpec['disturbs'] => ({
  api: kinds,
  site: kinds,
  server: kinds,
  sleeper: kinds,
});

/** What it had in its hands breaks off; the edge holds what comes until the next one is there. */
export const killApi = killRole('api', 0, {
  what: 'kill-api',
  harms: 'api',
  disturbs: { api: ['unavailable', 'broken'] },
});

/** Nobody but a sleeper's visitor waits for a worker. */
export const killWorker = killRole('worker', 0, {
  what: 'kill-worker',
  harms: 'worker',
  disturbs: { sleeper: ['unavailable'] },
  isInterruption: true,
});

/** Only connections that it had, or was about to take, break. */
export const killFirstEdge = killRole('edge', 0, {
  what: 'kill-first-edge',
  harms: 'edge',
  disturbs: everything('broken'),
});
export const killSecondEdge = killRole('edge', 1, {
  what: 'kill-second-edge',
  harms: 'edge',
  disturbs: everything('broken'),
});

/** Everything but the instances, the databases and the store goes with it; who runs the service starts it again. */
export const killSupervisor: Strike = (scene, step) => {
  const disturbs = everything('broken', 'refused', 'unavailable');
  return during(scene, { what: 'kill-supervisor', harms: 'foundation', disturbs, isInterruption: true }, async () => {
    const { handle, events } = scene;
    const pid = handle.current().supervisorPid;
    events.tell('kill-supervisor', `kill ${pid}`);
    handle.noteAway();
    signal(pid, 'SIGKILL');
    await delay(spell(step, [0, 2000]));
    return struck(async () => {
      await handle.startAgain();
      await untilApiAnswers(scene);
    });
  });
};

function killRole(role: string, index: number, spec: OutageSpec): Strike {
  return (scene) =>
    during(scene, spec, async () => {
      const before = scene.handle.pids(role);
      const victim = before[index];
      if (victim === undefined || !signal(victim, 'SIGKILL')) return foundNobody(scene, spec.what);
      scene.events.tell(spec.what, `killed ${victim}`);
      return struck(async () => {
        await untilReplaced(scene, { role, victim, count: before.length });
        await untilApiAnswers(scene);
      });
    });
}
