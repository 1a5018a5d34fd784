import { describe, expect, it } from 'vitest';
import { readRedirects, redirectRules } from './redirect-rules.ts';

const rule = (chain: string, port: number, target: number) => ({
  rule: {
    chain,
    expr: [
      { match: { left: { fib: {} }, right: 'local' } },
      { match: { left: { payload: { protocol: 'tcp', field: 'dport' } }, right: port } },
      { redirect: { port: target } },
    ],
  },
});

describe('the rules of redirects', () => {
  it('name every port in both directions, in a table of the installation', () => {
    const text = redirectRules('0a1b2c3d', new Map([[15_001, 15_044]]));
    expect(text).toContain('table inet lilac_db_0a1b2c3d {');
    expect(text.match(/fib daddr type local tcp dport 15001 redirect to :15044\n/g)).toHaveLength(2);
    expect(text).toMatch(/hook prerouting[\s\S]*hook output/);
  });

  it('are no table at all where nothing leads elsewhere', () => {
    expect(redirectRules('0a1b2c3d', new Map())).toBe(
      'table inet lilac_db_0a1b2c3d\ndelete table inet lilac_db_0a1b2c3d\n',
    );
  });

  it('are not believed where only one direction has them', () => {
    const nftables = [{ table: {} }, rule('prerouting', 1, 2), rule('output', 1, 2), rule('prerouting', 3, 4)];
    expect(readRedirects(JSON.stringify({ nftables }))).toEqual(new Map([[1, 2]]));
  });
});
