import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { identify } from '../server/src/lib/process-identity.ts';
import { createAccount, readFolders, startWriting, type Account } from './acknowledged-writes.ts';
import { processesOf } from './left-processes.ts';
import { startPlatform, until, type Platform } from './platform.ts';

/** `kill -9` of every process in turn, while folders are written. */
let platform: Platform;
let account: Account;
const env = { LILAC_RATE_LIMIT: '1000000', LILAC_EDGE_PROCESSES: '2' };

beforeAll(async () => {
  platform = await startPlatform({ env });
  account = await createAccount(platform);
});
afterAll(() => platform[Symbol.asyncDispose]());

/**
 * At most the request that it had in its hands fails, and for an edge the next one too: a client that connects while
 * the kernel is still closing the dead one's sockets may be queued there. While the store is away, writes are refused.
 */
describe.each([
  // First, while all have been up for a while: a role that is just starting without a store begins again.
  { role: 'store', index: 0, mayFail: Infinity },
  { role: 'api', index: 0, mayFail: 1 },
  { role: 'worker', index: 0, mayFail: 0 },
  { role: 'edge', index: 0, mayFail: 2 },
  { role: 'edge', index: 1, mayFail: 2 },
])('kill -9 of $role ($index)', ({ role, index, mayFail }) => {
  it('is mended, and no acknowledged write is lost', async () => {
    const before = platform.pids();
    const writer = startWriting(platform.url, account, `${role} ${index}`);
    await until('some writes are acknowledged', () => writer.acknowledged.size >= 20);
    const victim = before[role]![index]!;
    process.kill(victim, 'SIGKILL');
    await until('it is back', () => {
      const now = platform.pids()[role] ?? [];
      return now.length === before[role]!.length && !now.includes(victim);
    });
    const acknowledgedThen = writer.acknowledged.size;
    await until('writes go on', () => writer.acknowledged.size >= acknowledgedThen + 20);
    await writer.stop();
    expect(missing(writer.acknowledged, await readFolders(platform.url, account))).toEqual([]);
    expect(writer.failures.slice(mayFail)).toEqual([]);
    const others = Object.entries(before).filter(([name]) => name !== role);
    expect(Object.entries(platform.pids()).filter(([name]) => name !== role)).toEqual(others);
  });
});

describe.each(['api', 'edge', 'worker'])('%s asked to end', (role) => {
  it('is replaced, and not one request fails', async () => {
    const writers = [1, 2, 3, 4].map((number) => startWriting(platform.url, account, `${role} asked ${number}`));
    const acknowledged = () => writers.flatMap((writer) => [...writer.acknowledged]);
    for (let round = 1; round <= 3; round++) {
      await until('some writes are acknowledged', () => acknowledged().length >= round * 40);
      const asked = platform.pids()[role]![0]!;
      process.kill(asked, 'SIGTERM');
      await until('it is replaced', () => (platform.pids()[role]?.[0] ?? asked) !== asked);
    }
    for (const writer of writers) await writer.stop();
    expect(writers.flatMap((writer) => writer.failures)).toEqual([]);
    expect(missing(new Set(acknowledged()), await readFolders(platform.url, account))).toEqual([]);
  });
});

describe('kill -9 of the supervisor', () => {
  it('ends the roles, and the next supervisor adopts the store that still runs', async () => {
    const { store, supervisor: _supervisor, ...roles } = platform.pids();
    const rolePids = Object.values(roles).flat();
    const writer = startWriting(platform.url, account, 'supervisor');
    await until('some writes are acknowledged', () => writer.acknowledged.size >= 20);
    process.kill(platform.supervisorPid, 'SIGKILL');
    await until('the roles have ended', () => rolePids.every((pid) => identify(pid) === null));
    await writer.stop();

    const { home, port } = platform;
    platform = await startPlatform({ env, home, port });
    expect(platform.pids().store).toEqual(store);
    expect(missing(writer.acknowledged, await readFolders(platform.url, account))).toEqual([]);
  });

  it('may be followed by the next at once', async () => {
    const { home, port } = platform;
    process.kill(platform.supervisorPid, 'SIGKILL');
    platform = await startPlatform({ env, home, port });
    const servers = processesOf(home).filter((pid) => platform.pids().store!.includes(pid));
    expect(servers).toHaveLength(1);
    expect((await readFolders(platform.url, account)).size).toBeGreaterThan(100);
  });
});

function missing(acknowledged: ReadonlySet<string>, found: ReadonlySet<string>): string[] {
  return [...acknowledged].filter((name) => !found.has(name));
}
