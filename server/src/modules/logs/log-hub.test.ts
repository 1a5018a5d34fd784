import { RawNode, type KyselyPlugin } from 'kysely';
import { describe, expect, it } from 'vitest';
import { createLogWorld, entry } from '../../logs/testing/log-world.ts';
import { writeLog } from '../../logs/testing/write-log.ts';
import { eventually } from '../../testing/eventually.ts';
import { openHub } from './testing/follower.ts';

/** Counts the statements that read a table. */
function counter(table: string) {
  let count = 0;
  const plugin: KyselyPlugin = {
    transformQuery({ node }) {
      if (RawNode.is(node) && node.sqlFragments.some((text) => text.includes(`from ${table}`))) count++;
      return node;
    },
    transformResult: ({ result }) => Promise.resolve(result),
  };
  return { plugin, count: () => count };
}

describe('LogHub', () => {
  it('asks for everybody at once, only while somebody waits, and keeps nobody', async () => {
    await using world = await createLogWorld({ environments: 5 });
    const heads = counter('log_heads');
    const { follow, logHub } = openHub(world.db.withPlugin(heads.plugin));
    const followers = await Promise.all(world.environmentIds.map((id) => follow(id)));
    const begun = heads.count();
    await eventually('all wait', () => logHub.waiting === 5);
    await eventually('it asks again and again', () => heads.count() >= begun + 5);
    for (const id of world.environmentIds) await writeLog(world.db, id, [entry({ message: `for ${id}` })]);
    await eventually('each has its own', () => followers.every(({ messages }) => messages.length === 1));
    expect(followers.map(({ messages }) => messages[0])).toEqual(world.environmentIds.map((id) => `for ${id}`));
    await Promise.all(followers.map((follower) => follower.stop()));
    expect(logHub.waiting).toBe(0);
    await logHub.close();
    const asked = heads.count();
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect(heads.count()).toBe(asked);
  });

  it('reads once what a hundred followers of an environment get', async () => {
    await using world = await createLogWorld();
    const { environmentId } = world;
    const chunks = counter('log_chunks');
    const { follow, logHub } = openHub(world.db.withPlugin(chunks.plugin));
    const followers = await Promise.all(Array.from({ length: 100 }, () => follow(environmentId)));
    for (let round = 1; round <= 5; round++) {
      await eventually('all wait', () => logHub.waiting === 100);
      await writeLog(world.db, environmentId, [entry({ message: `round ${round}` })]);
      await eventually('all have it', () => followers.every(({ messages }) => messages.length === round));
    }
    expect(chunks.count()).toBe(5);
    await Promise.all(followers.map((follower) => follower.stop()));
  });

  it('hands nobody what was read before the lines that they know of were there', async () => {
    await using world = await createLogWorld();
    const { environmentId, db } = world;
    const gate = Promise.withResolvers<void>();
    let held = 0;
    const questions = new WeakSet<object>();
    const holding: KyselyPlugin = {
      transformQuery({ node, queryId }) {
        if (RawNode.is(node) && node.sqlFragments.some((text) => text.includes('from log_chunks'))) {
          questions.add(queryId);
        }
        return node;
      },
      async transformResult({ result, queryId }) {
        // Only the first is slow.
        if (questions.has(queryId) && held++ === 0) await gate.promise;
        return result;
      },
    };
    const { follow } = openHub(db.withPlugin(holding));
    const options = { lastEventId: '0', filter: { severities: ['ERROR'] } } as const;
    await writeLog(db, environmentId, [entry({ message: 'well' })]);
    const early = await follow(environmentId, options);
    await eventually('the first has looked', () => held === 1);
    await writeLog(db, environmentId, [entry({ message: 'bad', severity: 'ERROR' })]);
    const late = await follow(environmentId, options);
    gate.resolve();
    await eventually('both have been told of the next line', async () => {
      await writeLog(db, environmentId, [entry({ message: 'next', severity: 'ERROR' })]);
      return [early, late].every(({ messages }) => messages.includes('next'));
    });
    expect(early.messages.slice(0, 2)).toEqual(['bad', 'next']);
    expect(late.messages.slice(0, 2)).toEqual(['bad', 'next']);
    await Promise.all([early.stop(), late.stop()]);
  });

  it('goes on when the store was away', async () => {
    await using world = await createLogWorld();
    const { environmentId, db } = world;
    let isAway = false;
    const failing: KyselyPlugin = {
      transformQuery({ node }) {
        if (isAway) throw new Error('away');
        return node;
      },
      transformResult: ({ result }) => Promise.resolve(result),
    };
    const { follow, logHub } = openHub(db.withPlugin(failing));
    const follower = await follow(environmentId);
    await eventually('it waits', () => logHub.waiting === 1);
    isAway = true;
    await writeLog(db, environmentId, [entry({ message: 'meanwhile' })]);
    await new Promise((resolve) => setTimeout(resolve, 150));
    expect(follower.messages).toEqual([]);
    isAway = false;
    await eventually('it has come', () => follower.messages.length === 1);
    await follower.stop();
  });
});
