import { describe, expect, it } from 'vitest';
import { askOfSize } from './size-question.ts';

const tiers = [
  { id: 'db-f1-micro', label: 'Micro, shared', vcpu: 1, memoryMb: 614, dedicated: false, available: true },
  { id: 'db-g1-small', label: 'Small, shared', vcpu: 1, memoryMb: 1740, dedicated: false, available: true },
];
const small = { name: 'Orders', tier: 'db-g1-small', ha_enabled: false };

describe('another size', () => {
  it('that is the one it has is not asked about', () => {
    expect(askOfSize(small, 'db-g1-small', tiers)).toBeNull();
  });

  it('is named, with the restart that it takes and how long that is felt', () => {
    const asked = askOfSize(small, 'db-custom-2-4096', tiers)!;
    expect(asked.title).toBe('Change the size of Orders to “2 vCPU, 4 GB”?');
    expect(asked.consequence).toMatch(/“Small, shared” now.*restarts at once.*for some seconds.*connections break/);
    expect(asked.consequence, 'it has more of everything').not.toContain('at a time');
    expect(askOfSize({ ...small, ha_enabled: true }, 'db-custom-2-4096', tiers)!.consequence).toContain('a failover');
  });

  it('that is smaller says what it has less of', () => {
    const { consequence } = askOfSize(small, 'db-f1-micro', tiers)!;
    expect(consequence).toMatch(/50 connections at a time, not 145.* less memory/);
  });
});
