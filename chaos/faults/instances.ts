import { setTimeout as delay } from 'node:timers/promises';
import { visit } from '../../e2e/deploying.ts';
import { until } from '../../e2e/platform.ts';
import { run } from '../../server/src/lib/exec.ts';
import { isAlive } from '../../server/src/lib/process-identity.ts';
import { processTree } from '../../server/src/lib/process-tree.ts';
import { installationId, vethName } from '../../server/src/runtime/network/names.ts';
import { choose } from '../actions/act.ts';
import { instancesOf } from '../instances-of.ts';
import type { OutageSpec } from '../outages.ts';
import type { Scene } from '../scene.ts';
import { BACK_WITHIN_MS, during, foundNobody, signal, spell, struck, type Strike } from './strike.ts';

/** What an instance had in its hands may have had an effect, so it is not sent to another one. */
const disturbs: OutageSpec['disturbs'] = { server: ['unavailable', 'broken'] };

/** The program itself, or the first process of what it is shut in. It may be one that is just being tried. */
export const killInstance: Strike = (scene, step) =>
  during(scene, { what: 'kill-instance', harms: 'instances', disturbs, fails: ['server'] }, async () => {
    const instance = choose(instancesOf(scene, scene.server), step);
    if (!instance) return foundNobody(scene, 'kill-instance');
    const tree = processTree(instance.process.pid);
    const victim = step.roll % 2 === 0 ? tree[0]! : tree.at(-1)!;
    if (!isAlive(instance.process) || !signal(victim, 'SIGKILL')) {
      return foundNobody(scene, 'kill-instance', 'it has ended meanwhile');
    }
    scene.events.tell('kill-instance', `killed ${victim} of ${instance.record.id}`);
    return struck(() => untilServed(scene));
  });

/** The cable is pulled, and put back. */
export const cutInstance: Strike = (scene, step) =>
  during(scene, { what: 'cut-instance', harms: 'instances', disturbs, fails: ['server'] }, async () => {
    const instance = choose(instancesOf(scene, scene.server), step);
    if (instance?.record.lease.kind !== 'own') {
      return foundNobody(scene, 'cut-instance', 'there is no cable just now');
    }
    const link = vethName(installationId(scene.handle.home), instance.record.lease.slot);
    const cutMs = spell(step, [500, 5000]);
    const set = (state: 'up' | 'down') => run(['ip', 'link', 'set', link, state], { env: { PATH: process.env.PATH } });
    const { exitCode, stderr } = await set('down');
    if (exitCode !== 0) return foundNobody(scene, 'cut-instance', `${link}: ${stderr.trim()}`);
    scene.events.tell('cut-instance', `${instance.record.id} (${link}) for ${cutMs} ms`);
    try {
      await delay(cutMs);
    } finally {
      // It may have been taken away meanwhile.
      await set('up');
    }
    return struck(() => untilServed(scene));
  });

/** A program writes until it has no room. */
export const fillInstance: Strike = (scene) =>
  during(scene, { what: 'fill-instance', harms: 'instances', disturbs }, async () => {
    const answer = await visit(scene.server.url, '/fill-disk').then(
      ({ status, body }) => `${status} ${body.slice(0, 80)}`,
      (error: Error) => error.message,
    );
    scene.events.tell('fill-instance', answer);
    if (/no end to it/.test(answer)) throw new Error('a program may write without end, and nothing refuses it');
    // Other faults may have come between.
    return { hasStruck: answer.startsWith('200 ENOSPC'), untilBack: () => untilServed(scene) };
  });

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
