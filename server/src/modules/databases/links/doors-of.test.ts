import { expect, it } from 'vitest';
import { doorsOf, type DoorDatabase } from './doors-of.ts';

const database = (changes: Partial<DoorDatabase>): DoorDatabase => ({
  id: 'db_1',
  organisation_id: 'org_1',
  port: 5000,
  public_ip_enabled: true,
  authorized_networks: [],
  ...changes,
});

it.each([
  ['public', {}, { organisationId: null, isPrivate: false }],
  ['for some networks', { authorized_networks: ['203.0.113.0/24'] }, { organisationId: 'org_1', isPrivate: false }],
  ['private', { public_ip_enabled: false }, { organisationId: 'org_1', isPrivate: true }],
])('a database that is %s', (_what, changes, door) => {
  expect(doorsOf([database(changes)], [])).toEqual([{ port: 5000, ...door }]);
});

it('has a door at its own port and at each of its servers, once', () => {
  const databases = [database({}), database({ id: 'db_2', port: 6000 })];
  const servers = [
    { database_id: 'db_1', port: 5000 },
    { database_id: 'db_1', port: 5001 },
    { database_id: 'db_2', port: 6001 },
  ];
  expect(doorsOf(databases, servers).map(({ port }) => port)).toEqual([5000, 5001, 6000, 6001]);
});
