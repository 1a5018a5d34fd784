import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type Docker from 'dockerode';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readConfig } from '../../config.ts';
import { silentLog } from '../../lib/log.ts';
import type { HostTools } from '../network/host-tools.ts';
import { EnvironmentNetworks } from './environment-networks.ts';
import { labelNames } from './network-book.ts';

interface MadeNetwork {
  Id: string;
  Name: string;
  Labels: Record<string, string>;
  IPAM: { Config: { Subnet: string }[] };
}

const SITE = { range: { start: '10.213.36' }, mtu: 1500, network: { range: null, hostAddress: '' } };
const ID = '0123abcd';

describe('the networks of environments', () => {
  let registry: string;
  let there: MadeNetwork[];
  let refusal: Error | null;
  let networks: EnvironmentNetworks;

  const engine = {
    listNetworks: async () => there,
    createNetwork: async ({ Name, Labels, IPAM }: Omit<MadeNetwork, 'Id'>) => {
      there.push({ Id: `id-${Name}`, Name, Labels, IPAM });
      return { id: `id-${Name}` };
    },
    getNetwork: (id: string) => ({
      remove: async () => {
        if (refusal) throw refusal;
        there = there.filter(({ Id }) => Id !== id);
      },
    }),
  };
  const lease = (environmentId: string) => networks.lease({ environmentId, organisationId: 'org_1', port: 1 }, SITE);
  const numbers = () => there.map(({ Labels }) => Labels[labelNames.number]);
  const subnets = () => new Set(there.map(({ IPAM }) => IPAM.Config[0]?.Subnet));

  beforeEach(() => {
    registry = mkdtempSync(join(tmpdir(), 'lilac-networks-'));
    [there, refusal] = [[], null];
    networks = new EnvironmentNetworks({
      config: readConfig({ LILAC_HOME: registry }),
      log: silentLog,
      tools: { ipList: async () => [] } as unknown as HostTools,
      id: ID,
      registry,
      engine: engine as unknown as Docker,
      onChange: async () => {},
    });
  });
  afterEach(() => rmSync(registry, { recursive: true, force: true }));

  it('one that the engine does not remove is kept, used again, and removed the next time', async () => {
    const first = await lease('env_1');
    networks.release(first.lease);
    refusal = Object.assign(new Error('it has active endpoints'), { statusCode: 409 });
    await networks.removeEmpty(0);
    const other = await lease('env_2');
    expect(numbers()).toEqual(['0', '1']);
    expect(subnets().size).toBe(2);
    expect((await lease('env_1')).network).toBe(first.network);
    networks.release(other.lease);
    refusal = null;
    await networks.removeEmpty(0);
    expect(numbers()).toEqual(['0']);
    await lease('env_3');
    expect(numbers()).toEqual(['0', '1']);
  });

  it('one that was made though its answer was lost is not made a second time', async () => {
    const made = engine.createNetwork;
    engine.createNetwork = async (options) => {
      await made(options);
      engine.createNetwork = made;
      throw Object.assign(new Error('socket hang up'), { code: 'ECONNRESET' });
    };
    await expect(lease('env_1')).rejects.toThrow('socket hang up');
    await lease('env_2');
    expect(numbers()).toEqual(['0', '1']);
    expect(subnets().size).toBe(2);
    await networks.removeEmpty(0);
    expect(numbers()).toEqual(['1']);
  });
});
