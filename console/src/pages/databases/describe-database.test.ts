import { databaseStatuses } from '@lilac/contract/states';
import { describe, expect, it } from 'vitest';
import { connectionsOf, isMoving, memoryMbOf, nameEngine, nameTier } from './describe-database.ts';

const tiers = [
  { id: 'db-f1-micro', label: 'Micro, shared', vcpu: 0.25, memoryMb: 614, dedicated: false, available: true },
];

describe('a database', () => {
  it('moves while something is being done to it', () => {
    expect(databaseStatuses.filter((status) => isMoving({ status }))).toEqual(['provisioning', 'updating', 'deleting']);
  });

  it('is of an engine with a version', () => {
    expect(nameEngine({ database_type: 'postgresql', version: '17.4' })).toBe('PostgreSQL 17.4');
    expect(nameEngine({ database_type: 'mysql', version: '10.11' })).toBe('MySQL (MariaDB) 10.11');
  });

  it.each([
    ['db-f1-micro', 'Micro, shared', 614],
    ['db-custom-2-4096', '2 vCPU, 4 GB', 4096],
    ['db-custom-1-1280', '1 vCPU, 1.3 GB', 1280],
    ['unheard-of', 'unheard-of', null],
  ])('the tier %s is called %s', (tier, name, memoryMb) => {
    expect(nameTier(tier, tiers)).toBe(name);
    expect(memoryMbOf(tier, tiers)).toBe(memoryMb);
  });

  it('has no tier that only programs read while nobody knows what they are called', () => {
    expect(nameTier('db-f1-micro', [])).toBe('…');
    expect(nameTier('db-custom-2-4096', [])).toBe('2 vCPU, 4 GB');
  });

  it.each([
    [614, 50],
    [1740, 145],
    [100, 25],
    [1_000_000, 1000],
  ])('with %d MB lets %d clients in', (memoryMb, connections) => expect(connectionsOf(memoryMb)).toBe(connections));
});
