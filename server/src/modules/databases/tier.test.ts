import { describe, expect, it } from 'vitest';
import { assertTier, fitsOn } from './tier.ts';

const machine = { cpus: 4, memoryMb: 8000 };

describe('a tier', () => {
  it.each(['db-f1-micro', 'db-g1-small', 'db-custom-1-1024', 'db-custom-4-7936'])('may be %s', (tier) => {
    expect(() => assertTier(tier, machine)).not.toThrow();
  });

  it.each([
    ['db-custom-1-768', '1024 MB of memory or more'],
    ['db-custom-1-1100', 'steps of 256 MB'],
    ['db-custom-0-4096', '1 to 96 vCPU'],
    ['db-custom-8-4096', '4 vCPU and 8000 MB'],
    ['db-custom-4-8192', '4 vCPU and 8000 MB'],
    ['db-custom-97-100000', '4 vCPU and 8000 MB'],
  ])('is not %s, and the reason is told', (tier, reason) => {
    expect(() => assertTier(tier, machine)).toThrow(reason);
  });

  it('that is more than the machine has is refused in words, without its key', () => {
    expect(() => assertTier('db-custom-8-4096', machine)).toThrow(
      /^This machine has 4 vCPU and 8000 MB of memory, and a tier of 8 vCPU and 4096 MB is more than that\. Choose/,
    );
  });

  it('is told to fit or not before anybody asks for it', () => {
    const tiers = ['db-g1-small', 'db-custom-4-7936', 'db-custom-8-4096', 'db-custom-4-8192'];
    expect(tiers.map((tier) => fitsOn(machine, tier))).toEqual([true, true, false, false]);
    expect(fitsOn({ cpus: 1, memoryMb: 512 }, 'db-g1-small')).toBe(true);
  });

  it('has no more vCPU than there may be, however large the machine is', () => {
    expect(() => assertTier('db-custom-97-99328', { cpus: 128, memoryMb: 500_000 })).toThrow('1 to 96 vCPU');
  });

  it('that is shared fits on any machine', () => {
    expect(() => assertTier('db-g1-small', { cpus: 1, memoryMb: 512 })).not.toThrow();
  });
});
