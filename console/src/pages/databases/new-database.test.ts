import { describe, expect, it } from 'vitest';
import { draftTier, readNetworks, readNewDatabase, readTier } from './new-database.ts';

const least = { name: 'Shop', engine: 'postgresql', tier: 'db-f1-micro', storageGb: '10' };

describe('a new database', () => {
  it('leaves out what was left empty, so that it is made up', () => {
    const body = readNewDatabase(
      { ...least, databaseName: ' ', adminUser: '', adminPassword: '', folder: '' },
      'org_1',
    );
    expect(body).toStrictEqual({
      targetOrganisationId: 'org_1',
      name: 'Shop',
      databaseType: 'postgresql',
      tier: 'db-f1-micro',
      storageGb: 10,
      haEnabled: false,
      publicIpEnabled: false,
    });
  });

  it('says networks only where there is a public address', () => {
    const networks = '203.0.113.0/24\n\n 2001:db8::/32, 192.0.2.7';
    expect(readNewDatabase({ ...least, networks }, 'org_1').authorizedNetworks).toBeUndefined();
    expect(readNewDatabase({ ...least, public: 'on', networks }, 'org_1')).toMatchObject({
      publicIpEnabled: true,
      authorizedNetworks: ['203.0.113.0/24', '2001:db8::/32', '192.0.2.7'],
    });
  });

  it('keeps a password as it was typed', () => {
    expect(readNewDatabase({ ...least, adminPassword: 'abc def' }, 'org_1').adminPassword).toBe('abc def');
  });
});

it('a size of one’s own is a tier', () => {
  expect(readTier({ tier: 'other', vcpu: '2', memoryMb: '4096' })).toBe('db-custom-2-4096');
  expect(readTier({ tier: 'db-g1-small', vcpu: '2', memoryMb: '4096' })).toBe('db-g1-small');
});

it('a tier is shown as its card, or as a size of one’s own', () => {
  const tiers = [{ id: 'db-g1-small' }, { id: 'db-custom-2-4096' }];
  expect(draftTier('db-custom-2-4096', tiers).tier).toBe('db-custom-2-4096');
  expect(draftTier('db-custom-3-5120', tiers)).toEqual({ tier: 'other', vcpu: '3', memoryMb: '5120' });
  for (const tier of ['db-g1-small', 'db-custom-2-4096', 'db-custom-3-5120']) {
    expect(readTier(draftTier(tier, tiers))).toBe(tier);
  }
});

it('no networks are an empty list', () => expect(readNetworks(' \n')).toEqual([]));
