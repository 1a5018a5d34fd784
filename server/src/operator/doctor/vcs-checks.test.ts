import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { readConfig } from '../../config.ts';
import { judgeHost, vcsChecks } from './vcs-checks.ts';

const reachable = readConfig({ LILAC_PUBLIC_URL: 'https://lilac.example.org' });
const setUp = { isEnabled: true, source: 'store', trouble: null } as const;

describe('what is told about a repository host', () => {
  it('whether it is set up, by what, and how to ask it', () => {
    expect(judgeHost(reachable, 'provider1', setUp)).toMatchObject({
      status: 'ok',
      found: 'https://github.com: set up (to ask it: lilac admin vcs check provider1)',
    });
    expect(judgeHost(reachable, 'provider2', { ...setUp, source: 'file' }).found).toContain('LILAC_VCS_APPS_FILE');
    expect(judgeHost(reachable, 'provider3', { ...setUp, source: null })).toMatchObject({
      status: 'ok',
      found: expect.stringContaining('not set up') as string,
    });
    expect(judgeHost(reachable, 'provider3', { ...setUp, isEnabled: false }).found).toContain('switched off');
  });

  it('what is wrong with its settings', () => {
    const finding = judgeHost(reachable, 'provider1', { ...setUp, source: 'file', trouble: 'It cannot be read.' });
    expect(finding).toMatchObject({ status: 'warn', found: expect.stringContaining('It cannot be read.') as string });
  });

  it.each(['http://localhost:7080', 'http://lilac.localhost', 'http://127.0.0.9:80', 'http://[::1]:7080'])(
    'that it cannot reach %s',
    (url) => {
      const config = readConfig({ LILAC_PUBLIC_URL: url });
      expect(judgeHost(config, 'provider1', setUp)).toMatchObject({
        status: 'warn',
        advice: expect.stringContaining('LILAC_PUBLIC_URL') as string,
      });
      expect(judgeHost(config, 'provider1', { ...setUp, source: null }).status).toBe('ok');
      const local = readConfig({ LILAC_PUBLIC_URL: url, LILAC_VCS_URL: 'http://127.0.0.1:3000' });
      expect(judgeHost(local, 'provider1', setUp).status, 'a host on this machine can').toBe('ok');
    },
  );

  it('that the file of the operator cannot be used, whether the store runs or not', async () => {
    const path = join(tmpdir(), 'lilac-doctor-none.json');
    const config = readConfig({ LILAC_HOME: '/nonexistent', LILAC_VCS_APPS_FILE: path });
    expect(await vcsChecks.checks[0]!.look({ config, environment: {} })).toMatchObject({
      status: 'warn',
      found: expect.stringContaining(`${path}) cannot be used: it cannot be read (ENOENT)`) as string,
    });
  });

  it('nothing, where there is no installation, and none is made', async () => {
    const parent = mkdtempSync(join(tmpdir(), 'lilac-doctor-'));
    onTestFinished(() => rmSync(parent, { recursive: true, force: true }));
    const home = join(parent, 'home');
    const host = { config: readConfig({ LILAC_HOME: home }), environment: {} };
    for (const check of vcsChecks.checks) expect((await check.look(host)).found).toContain('not looked at');
    expect(existsSync(home)).toBe(false);
  });
});
