import { setTimeout as delay } from 'node:timers/promises';
import { identify, isAlive } from '../../server/src/lib/process-identity.ts';
import { defaultTiming } from '../../server/src/jobs/worker-timing.ts';
import type { OutageSpec } from '../outages.ts';
import { during, foundNobody, signal, spell, struck, untilApiAnswers, type Strike } from './strike.ts';

/** A process stands still for a while, as on a machine that is paged out or cut off, and then goes on. */

/** Less than an edge waits for the api. */
export const holdApi = holdRole('api', [500, 6000], { what: 'hold-api', harms: 'api', disturbs: {} });

/** It may lose its lease meanwhile: then somebody else does what it had begun. */
export const holdWorker = holdRole('worker', [1000, 15_000], {
  what: 'hold-worker',
  harms: 'worker',
  disturbs: { sleeper: ['unavailable'] },
  interruptsAfterMs: defaultTiming.leaseMs - defaultTiming.renewMs,
});

/** After eight seconds it must not answer by what it knew, and ends. */
export const holdEdge = holdRole('edge', [500, 11_000], {
  what: 'hold-edge',
  harms: 'edge',
  disturbs: { api: ['broken'], site: ['broken'], server: ['broken'], sleeper: ['broken'] },
});

interface Hold extends OutageSpec {
  /** Whoever builds and releases begins anew where it is held for longer. */
  interruptsAfterMs?: number;
}

function holdRole(role: string, lengthMs: readonly [number, number], hold: Hold): Strike {
  return (scene, step) => {
    const { interruptsAfterMs = Infinity, ...spec } = hold;
    const heldMs = spell(step, lengthMs);
    return during(scene, { ...spec, isInterruption: heldMs > interruptsAfterMs }, async () => {
      const pids = scene.handle.pids(role);
      const held = pids.length > 0 ? identify(pids[step.roll % pids.length]!) : null;
      if (!held || !signal(held.pid, 'SIGSTOP')) return foundNobody(scene, spec.what);
      scene.events.tell(spec.what, `${held.pid} for ${heldMs} ms`);
      try {
        await delay(heldMs);
      } finally {
        if (isAlive(held)) signal(held.pid, 'SIGCONT');
      }
      return struck(() => untilApiAnswers(scene));
    });
  };
}
