import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { readUsage } from './read-usage.ts';

function makeGroup(files: Record<string, string>): string {
  const folder = mkdtempSync(join(tmpdir(), 'lilac-usage-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  mkdirSync(folder, { recursive: true });
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  return folder;
}

describe('what an instance has used', () => {
  it('version 1: time in nanoseconds, memory without cached files', () => {
    const path = makeGroup({
      'cpuacct.usage': '1500000000\n',
      'memory.usage_in_bytes': '1000\n',
      'memory.stat': 'inactive_file 1\ntotal_inactive_file 100\ntotal_active_file 50\ntotal_shmem 9\n',
    });
    const group = { version: 1, controllers: ['memory'], countsTime: true, path } as const;
    expect(readUsage([group], () => [])).toEqual({ cpuSeconds: 1.5, memoryBytes: 850 });
  });

  it('version 2: time in microseconds, memory without cached files', () => {
    const path = makeGroup({
      'cpu.stat': 'usage_usec 2500000\nuser_usec 1\n',
      'memory.current': '1000\n',
      'memory.stat': 'anon 1\ninactive_file 100\nactive_file 50\n',
    });
    const group = { version: 2, controllers: ['cpu', 'memory'], countsTime: true, path } as const;
    expect(readUsage([group], () => [])).toEqual({ cpuSeconds: 2.5, memoryBytes: 850 });
  });

  it('without groups: the sum over its processes', () => {
    const { cpuSeconds, memoryBytes } = readUsage([], () => [process.pid]);
    expect(cpuSeconds).toBeGreaterThan(0);
    expect(memoryBytes).toBeGreaterThan(10e6);
    expect(readUsage([], () => [])).toEqual({ cpuSeconds: 0, memoryBytes: 0 });
  });
});
