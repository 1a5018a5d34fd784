import { expect, it, onTestFinished } from 'vitest';
import { createTestStore, type TestStore } from '../testing/test-store.ts';
import { eventually } from '../testing/eventually.ts';
import { createChannelHub, type ChannelHub } from './channel-hub.ts';

it('several hear on one connection, each what it asked for, and again after it was lost', async () => {
  await using store = await createTestStore();
  const hub = createChannelHub(store, ['a', 'b', 'c']);
  const first = hear(hub, ['a', 'b']);
  await eventually('the first listens', () => first.connects === 1);
  const second = hear(hub, ['b', 'c']);
  expect(second.connects).toBe(0);
  await eventually('the second is told too that it listens', () => second.connects === 1);
  await notify(store, 'a', 'b', 'c');
  await eventually('both have heard', () => first.heard.length === 2 && second.heard.length === 2);
  expect([first.heard, second.heard]).toEqual([
    ['a', 'b'],
    ['b', 'c'],
  ]);
  expect(await endListeners(store)).toBe(1);
  await eventually('both listen again', () => first.connects === 2 && second.connects === 2);
});

it('who leaves hears no more, and with the last the connection goes', async () => {
  await using store = await createTestStore();
  const hub = createChannelHub(store, ['a']);
  const [first, second] = [hear(hub, ['a']), hear(hub, ['a'])];
  await eventually('both listen', () => first.connects === 1 && second.connects === 1);
  await first.close();
  await notify(store, 'a');
  await eventually('the other has heard', () => second.heard.length === 1);
  expect(first.heard).toEqual([]);
  await second.close();
  await eventually('nobody is connected', async () => (await endListeners(store)) === 0);
  const third = hear(hub, ['a']);
  await eventually('whoever comes later listens', () => third.connects === 1);
});

it('refuses who would never hear anything', async () => {
  await using store = await createTestStore();
  expect(() => hear(createChannelHub(store, ['a']), ['a', 'd'])).toThrow('nobody listens to d here');
});

function hear(hub: ChannelHub, channels: string[]) {
  const hearing = { connects: 0, heard: [] as string[] };
  const listener = hub.listen({
    channels,
    onNotification: (channel) => hearing.heard.push(channel),
    onConnect: () => hearing.connects++,
  });
  onTestFinished(() => listener.close());
  return Object.assign(hearing, { close: () => listener.close() });
}

async function notify(store: TestStore, ...channels: string[]): Promise<void> {
  for (const channel of channels) await store.pool.query('select pg_notify($1, $2)', [channel, '']);
}

/** Returns how many there were. */
async function endListeners(store: TestStore): Promise<number> {
  const { rowCount } = await store.pool.query(`
    select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid() and query ~* '^listen'`);
  return rowCount ?? 0;
}
