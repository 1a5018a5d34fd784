import { describe, expect, it } from 'vitest';
import { LEADER_RETURNS_MS, mayLead, type Candidate, type LeadershipRow } from './may-lead.ts';

const row = (changes: Partial<LeadershipRow> = {}): LeadershipRow => {
  return { term: '3', worker: 'one', host: 'a', isHeld: false, ...changes };
};
const candidate = (changes: Partial<Candidate> = {}): Candidate => {
  return { worker: 'two', host: 'b', reach: 'free', freeForMs: 0, ...changes };
};

describe('who may lead', () => {
  it('anybody, where nobody ever did, and nobody, while somebody does', () => {
    for (const reach of ['sole', 'bound', 'free'] as const) {
      expect(mayLead(null, candidate({ reach }))).toBe(true);
      expect(mayLead(row({ isHeld: true }), candidate({ reach, worker: 'one', host: 'a' }))).toBe(false);
    }
  });

  it('never who leaves it to others', () => {
    for (const known of [null, row({ worker: null, host: null }), row({ worker: 'two', host: 'b' })]) {
      expect(mayLead(known, candidate({ reach: 'none', freeForMs: 1e9 }))).toBe(false);
    }
  });

  it('another waits whether the leader comes back, unless it went by itself', () => {
    expect(mayLead(row(), candidate({ freeForMs: LEADER_RETURNS_MS - 1 }))).toBe(false);
    expect(mayLead(row(), candidate({ freeForMs: LEADER_RETURNS_MS }))).toBe(true);
    expect(mayLead(row({ worker: null }), candidate())).toBe(true);
  });

  it('the former leader waits for nobody, nor does who is alone on the store', () => {
    expect(mayLead(row(), candidate({ worker: 'one' }))).toBe(true);
    expect(mayLead(row(), candidate({ reach: 'sole' }))).toBe(true);
  });

  it('of what lives on one host only that one, however long it is away, until it is moved', () => {
    const elsewhere = candidate({ reach: 'bound', freeForMs: 1e9 });
    expect(mayLead(row(), elsewhere)).toBe(false);
    expect(mayLead(row({ worker: null }), elsewhere)).toBe(false);
    expect(mayLead(row({ worker: null, host: 'b' }), elsewhere)).toBe(true);
    expect(mayLead(row({ worker: null, host: null }), elsewhere)).toBe(true);
  });
});
