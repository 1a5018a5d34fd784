import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { lineOf, missingLine } from './line.ts';
import { pageWith } from './results-page.ts';

const lines = [
  lineOf('idle', { name: 'memory', unit: 'MB', ours: 339, bar: { of: 'ours', atMost: 350 } }),
  missingLine('edge-proxy', 'against caddy', 'apt-get install caddy'),
  missingLine('edge-proxy', 'against caddy, large', 'apt-get install caddy'),
];
const results = { day: '2026-11-16', machine: ['2 cores', 'Linux 6.18'], lines };

describe('the page of benchmarks', () => {
  const page = readFileSync(join(import.meta.dirname, '../../docs/reference/benchmarks.md'), 'utf8');

  it('takes what was measured, and tells of each missing program once', () => {
    const written = pageWith(page, results);
    expect(written).toMatch(/^\| idle +\| memory +\| 339 MB \| - +\| - +\| at most 350 MB \| ok +\|$/m);
    expect(written.match(/^- edge-proxy: apt-get install caddy$/gm)).toHaveLength(1);
    expect(written).toContain('Measured on 2026-11-16, on:\n\n- 2 cores\n- Linux 6.18\n');
  });

  it('keeps what was written by hand, however often it is written anew', () => {
    const once = pageWith(page, results);
    const [before, after] = [page.indexOf('<!-- From here'), page.indexOf('<!-- Until here')];
    expect(once.startsWith(page.slice(0, before))).toBe(true);
    expect(once.endsWith(page.slice(after))).toBe(true);
    expect(pageWith(once, results)).toBe(once);
  });

  it('is left alone when it has no place for them', () => {
    expect(() => pageWith('# Benchmarks\n', results)).toThrow('needs two lines');
  });
});
