import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { readConfig } from '../../config.ts';
import { judgeUsers, lookAtIsolation } from './sandbox-checks.ts';

const ALL = '         0          0 4294967295\n';

describe('builds.users', () => {
  it('is fine where nobody has these uids', () => {
    expect(judgeUsers('root:x:0:0::/:/bin/sh\n', ALL)).toMatchObject({ status: 'ok', found: 'uids 30000 to 59999' });
  });

  it('warns where somebody has one, and where a container lacks them', () => {
    expect(judgeUsers('eve:x:31000:31000::/:/bin/sh\n', ALL)).toMatchObject({
      status: 'warn',
      found: expect.stringContaining('eve') as string,
    });
    expect(judgeUsers('', '0 100000 1000\n').status).toBe('warn');
  });
});

describe('builds.isolation', () => {
  it('says loudly what is missing without bubblewrap', async () => {
    const home = mkdtempSync(join(tmpdir(), 'lilac-doctor-'));
    onTestFinished(() => rmSync(home, { recursive: true, force: true }));
    const finding = await lookAtIsolation({
      config: readConfig({ LILAC_HOME: home }),
      environment: { PATH: '/nowhere' },
    });
    expect(finding).toMatchObject({
      status: 'warn',
      found: expect.stringContaining('bubblewrap does not work') as string,
    });
  });
});
