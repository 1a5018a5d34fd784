import { closeSync, openSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { keepingNothingInMemory, keepingNothingOpen } from './keeping-nothing.ts';

const files: number[] = [];
const servers: Server[] = [];
afterEach(async () => {
  for (const file of files.splice(0)) closeSync(file);
  for (const server of servers.splice(0)) await new Promise((resolve) => void server.close(resolve));
});

const open = () => openSync(import.meta.filename, 'r');
const listen = () =>
  new Promise<Server>((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => resolve(server));
  });

function leaveFiles(count: number): void {
  for (let round = 0; round < count; round++) files.push(open());
}

const closingAll = async () => {
  for (let round = 0; round < 50; round++) closeSync(open());
  return 'done';
};
const failing = async () => {
  leaveFiles(50);
  throw new Error('its own');
};
const closingLater = async () => {
  leaveFiles(50);
  setTimeout(() => files.splice(0).forEach((file) => closeSync(file)), 50);
};
const leavingServers = async () => {
  for (let round = 0; round < 40; round++) servers.push(await listen());
};

/** It looks once more, and waits no longer. */
const AT_ONCE = 0;

describe('work that leaves nothing open', () => {
  it('is done, and what it came to is given on', async () => {
    expect(await keepingNothingOpen(closingAll, AT_ONCE)).toBe('done');
  });

  it('fails as it failed', async () => {
    await expect(keepingNothingOpen(failing, AT_ONCE)).rejects.toThrow('its own');
  });

  it('may close it a little later', async () => {
    await expect(keepingNothingOpen(closingLater)).resolves.toBeUndefined();
  });
});

describe('work that leaves open', () => {
  it('a file of each round is told of', async () => {
    const leaving = keepingNothingOpen(async () => leaveFiles(12), AT_ONCE);
    await expect(leaving).rejects.toThrow('12 more files, 4 at most');
  });

  it('a socket of each round is told of', async () => {
    await expect(keepingNothingOpen(leavingServers, AT_ONCE)).rejects.toThrow('40 more others, 20 at most');
  });
});

describe('work that keeps in memory', () => {
  const kept: Buffer[] = [];
  afterEach(() => void kept.splice(0));
  const keeping = (bytes: number) => async () => {
    for (let round = 0; round < 200; round++) kept.push(Buffer.alloc(bytes));
    return { rounds: 200 };
  };

  it('what it read is told of', async () => {
    await expect(keepingNothingInMemory(keeping(1024 ** 2))).rejects.toThrow(/keeps in memory.*200 rounds/);
  });

  it('next to nothing is not', async () => {
    await expect(keepingNothingInMemory(keeping(100))).resolves.toBeUndefined();
  });

  it('nothing, though it used much, is not', async () => {
    const work = keeping(1024 ** 2);
    await expect(keepingNothingInMemory(() => work().finally(() => kept.splice(0)))).resolves.toBeUndefined();
  });
});
