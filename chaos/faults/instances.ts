import { setTimeout as delay } from 'node:timers/promises';
import { join } from 'node:path';
import { runningInstances, until } from '../../e2e/platform.ts';
import { visit } from '../../e2e/deploying.ts';
import { run } from '../../server/src/lib/exec.ts';
import { isAlive } from '../../server/src/lib/process-identity.ts';
import { processTree } from '../../server/src/lib/process-tree.ts';
import { findInstance, type FoundInstance } from '../../server/src/runtime/held/find-instance.ts';
import { installationId, vethName } from '../../server/src/runtime/network/names.ts';
import { choose } from '../actions/act.ts';
import type { OutageSpec } from '../outages.ts';
import type { Scene } from '../scene.ts';
import { BACK_WITHIN_MS, during, signal, spell, type Strike } from './strike.ts';

/** What an instance had in its hands may have had an effect, so it is not sent to another one. */
const spec = (what: string): OutageSpec => ({
  what,
  parts: ['server', 'sleeper'],
  excuses: ['unavailable', 'broken'],
});

/** The program itself, or the first process of what it is shut in. */
export const killInstance: Strike = (scene, step) =>
  during(scene, spec('kill-instance'), async () => {
    const instance = choose(instancesOf(scene), step);
    if (!instance) return scene.events.tell('kill-instance', 'there is none just now');
    const tree = processTree(instance.process.pid);
    const victim = step.roll % 2 === 0 ? tree[0]! : tree.at(-1)!;
    if (!isAlive(instance.process)) return scene.events.tell('kill-instance', 'it has ended meanwhile');
    scene.events.tell('kill-instance', `kill ${victim} of ${instance.record.id}`);
    signal(victim, 'SIGKILL');
    await untilServed(scene);
  });

/** The cable is pulled, and put back. */
export const cutInstance: Strike = (scene, step) =>
  during(scene, spec('cut-instance'), async () => {
    const instance = choose(instancesOf(scene), step);
    if (instance?.record.lease.kind !== 'own') return scene.events.tell('cut-instance', 'there is no cable just now');
    const link = vethName(installationId(scene.handle.home), instance.record.lease.slot);
    const cutMs = spell(step, [500, 5000]);
    scene.events.tell('cut-instance', `${instance.record.id} (${link}) for ${cutMs} ms`);
    const set = (state: 'up' | 'down') => run(['ip', 'link', 'set', link, state], { env: { PATH: process.env.PATH } });
    await set('down');
    try {
      await delay(cutMs);
    } finally {
      // It may have been taken away meanwhile.
      await set('up');
    }
    await untilServed(scene);
  });

/** A program writes until it has no room, or is ended for it. */
export const fillInstance: Strike = (scene) =>
  during(scene, spec('fill-instance'), async () => {
    const answer = await visit(scene.server.url, '/fill-disk').then(
      ({ status, body }) => `${status} ${body.slice(0, 80)}`,
      (error: Error) => error.message,
    );
    scene.events.tell('fill-instance', answer);
    await untilServed(scene);
  });

function instancesOf({ handle, server }: Scene): FoundInstance[] {
  return runningInstances(handle)
    .flatMap((name) => findInstance(join(handle.home, 'instances', name)) ?? [])
    .filter(({ record, process }) => record.environmentId === server.environmentId && isAlive(process));
}

const IN_A_ROW = 5;

/** Several in a row: not only the other instance answers. */
async function untilServed({ server }: Scene): Promise<void> {
  let count = 0;
  await until(
    'the server answers',
    async () => {
      const isRight = await visit(server.url).then(
        ({ status }) => status === 200,
        () => false,
      );
      count = isRight ? count + 1 : 0;
      return count >= IN_A_ROW;
    },
    BACK_WITHIN_MS,
  );
}
