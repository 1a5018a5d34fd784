import { describe, expect, it } from 'vitest';
import { rulesOf } from '../access-rules.ts';
import { accessFile, identityFile } from './host-based-access.ts';

describe('pg_hba.conf', () => {
  it('lets in by the first line that fits', () => {
    const access = { networks: ['0.0.0.0/0'], instanceNetworks: ['10.213.36.0/22'], ownAddresses: ['10.213.36.1'] };
    expect(accessFile(rulesOf(access)).trim().split('\n')).toEqual([
      'local all lilac,lilac_reader,lilac_explorer peer map=platform',
      'local all lilac_replication reject',
      'local all all scram-sha-256',
      'host replication lilac_replication 127.0.0.1/32 scram-sha-256',
      'host all lilac,lilac_reader,lilac_explorer,lilac_replication all reject',
      'hostssl all all 10.213.36.1/32 scram-sha-256',
      'host all all 10.213.36.1/32 reject',
      'host all all 10.213.36.0/22 scram-sha-256',
      'host all all 127.0.0.0/8 scram-sha-256',
      'hostssl all all 0.0.0.0/0 scram-sha-256',
    ]);
  });

  it('lets nobody in where there are no rules, a standby and the platform aside', () => {
    expect(accessFile([])).not.toMatch(/^host(ssl)? all all/m);
  });

  it('knows the platform by its user', () => {
    expect(identityFile('root')).toBe(
      'platform "root" lilac\nplatform "root" lilac_reader\nplatform "root" lilac_explorer\n',
    );
  });
});
