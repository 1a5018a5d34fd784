import { describe, expect, it } from 'vitest';
import { chooseRange, uidFor } from './users.ts';

const everything = '         0          0 4294967295\n';
const usualContainer = '         0     100000      65536\n';
const rootless = '         0       1000          1\n         1     100000      65536\n';

describe('the users of databases', () => {
  it('lie where nobody else hands out users, also where there are only 65,536', () => {
    expect(chooseRange(everything).first).toBeGreaterThan(524_288 + 65_536);
    for (const uidMap of [usualContainer, rootless]) {
      const { first, count } = chooseRange(uidMap);
      expect(first).toBeGreaterThanOrEqual(60_000);
      expect(first + count).toBeLessThanOrEqual(61_184);
    }
  });

  it('are one for all servers of a database, and one for each database', () => {
    const range = { first: 100, count: 50 };
    const owners: { databaseId: string; uid: number }[] = [];
    for (let index = 0; index < 50; index++) {
      const databaseId = `db_${index}`;
      owners.push({ databaseId, uid: uidFor(databaseId, { installation: 'a', owners, range }) });
      expect(uidFor(databaseId, { installation: 'a', owners, range })).toBe(owners.at(-1)?.uid);
    }
    expect(new Set(owners.map(({ uid }) => uid)).size).toBe(50);
    expect(Math.min(...owners.map(({ uid }) => uid))).toBe(100);
    expect(Math.max(...owners.map(({ uid }) => uid))).toBe(149);
    expect(() => uidFor('db_more', { installation: 'a', owners, range })).toThrow('all are taken');
  });

  it('of another installation are others', () => {
    const range = chooseRange(everything);
    const of = (installation: string) => uidFor('db_1', { installation, owners: [], range });
    expect(of('a')).not.toBe(of('b'));
  });
});
