import { setTimeout as delay } from 'node:timers/promises';
import type { Part, OutageSpec } from '../outages.ts';
import { during, signal, spell, untilApiAnswers, untilReplaced, type Strike } from './strike.ts';

/** `kill -9` of the platform's own processes. */

const everything: readonly Part[] = ['api', 'site', 'server', 'sleeper'];

/** What it had in its hands breaks off; the edge holds what comes until the next one is there. */
export const killApi = killRole('api', 0, {
  what: 'kill-api',
  parts: ['api', 'sleeper'],
  excuses: ['unavailable', 'broken'],
});

/** Nobody but a sleeper's visitor waits for a worker. */
export const killWorker = killRole('worker', 0, { what: 'kill-worker', parts: ['sleeper'], excuses: ['unavailable'] });

/** Only connections that it had, or was about to take, break. */
export const killFirstEdge = killRole('edge', 0, { what: 'kill-first-edge', parts: everything, excuses: ['broken'] });
export const killSecondEdge = killRole('edge', 1, { what: 'kill-second-edge', parts: everything, excuses: ['broken'] });

/** Everything but the instances, the databases and the store goes with it; who runs the service starts it again. */
export const killSupervisor: Strike = (scene, step) => {
  const excuses = ['broken', 'refused', 'unavailable'] as const;
  return during(scene, { what: 'kill-supervisor', parts: everything, excuses }, async () => {
    const { handle, events } = scene;
    const pid = handle.current().supervisorPid;
    events.tell('kill-supervisor', `kill ${pid}`);
    handle.noteAway();
    signal(pid, 'SIGKILL');
    await delay(spell(step, [0, 2000]));
    await handle.startAgain();
    await untilApiAnswers(scene);
  });
};

function killRole(role: string, index: number, spec: OutageSpec): Strike {
  return (scene) =>
    during(scene, spec, async () => {
      const before = scene.handle.pids(role);
      const victim = before[index];
      if (victim === undefined) return scene.events.tell(spec.what, 'there is none just now');
      scene.events.tell(spec.what, `kill ${victim}`);
      signal(victim, 'SIGKILL');
      await untilReplaced(scene, { role, victim, count: before.length });
      await untilApiAnswers(scene);
    });
}
