import { expect, it } from 'vitest';
import { readConfig } from '../../config.ts';
import { Reaches } from './reaches.ts';
import type { SwarmNode } from './swarm-tasks.ts';

const machine = (ID: string, Addr: string): [string, SwarmNode] => [ID, { ID, Status: { State: 'ready', Addr } }];

function openReaches(settings: Record<string, string> = {}): Reaches {
  const config = readConfig({
    LILAC_HOME: '/nowhere',
    LILAC_PORT: '8080',
    LILAC_PUBLIC_URL: 'http://hub.test',
    ...settings,
  });
  const engine = {
    address: async () => '127.0.0.1',
    nodes: async () => new Map([machine('one', '10.0.0.1'), machine('two', '198.51.100.2')]),
    bridges: async () => [],
  };
  return new Reaches({ engine, config });
}

const ADDRESSES = ['10.0.0.1', '172.17.0.1', '198.51.100.2', '2001:db8::7', '203.0.113.7', '203.0.113.8'];
const DOORS = [{ port: 15_432, organisationId: 'org_1', isPrivate: true }];

it('every address of a machine that is the world’s is said, so that a program finds public ports there and nothing else', async () => {
  const reaches = openReaches();
  await reaches.setDoors(DOORS, '10.0.0.1', ADDRESSES);
  const { cluster, edges, doors } = await reaches.of('org_2');
  expect(cluster).toEqual(['10.0.0.1', '127.0.0.1', '198.51.100.2']);
  expect(edges!.addresses).toEqual(['10.0.0.1', '127.0.0.1', '198.51.100.2', '203.0.113.7', '203.0.113.8']);
  expect(edges!.ports).toEqual([8080, 80, 7443]);
  expect(doors).toEqual([]);
  expect((await reaches.of('org_1')).doors).toEqual([15_432]);
});

it('where the operator names addresses the others are said too, and what is shut anyway is opened by none', async () => {
  const reaches = openReaches({ LILAC_PUBLIC_ADDRESSES: '203.0.113.7', LILAC_CLUSTER_RANGE: '10.0.0.0/24' });
  await reaches.setDoors(DOORS, undefined, ADDRESSES);
  expect((await reaches.of('org_2')).edges!.addresses).toEqual(['203.0.113.7', '203.0.113.8']);
  await reaches.setDoors(DOORS, undefined);
  expect((await reaches.of('org_2')).edges!.addresses).toEqual(['203.0.113.7']);
});
