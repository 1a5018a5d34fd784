import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isAlive, type ProcessIdentity } from '../server/src/lib/process-identity.ts';
import { startEmbeddedStore, stopEmbeddedStore } from '../server/src/store/embedded-store.ts';
import { findFreePort, runServer, startPlatform, startServer, until } from './platform.ts';

describe('LILAC_DATABASE_URL', () => {
  const folder = mkdtempSync(join(tmpdir(), 'lilac-external-'));
  const socket = join(folder, 'store', 'data');
  const urlWith = (password: string) =>
    `postgresql://lilac:${password}@localhost/postgres?host=${encodeURIComponent(socket)}`;
  let server: ProcessIdentity;

  beforeAll(async () => {
    const options = { directory: join(folder, 'store'), logFile: join(folder, 'log'), password: 'theirs' };
    server = (await startEmbeddedStore(options)).process;
  });
  afterAll(async () => {
    await stopEmbeddedStore(server);
    rmSync(folder, { recursive: true, force: true });
  });

  it('is used, and nothing embedded is started', async () => {
    await using platform = await startPlatform({ env: { LILAC_DATABASE_URL: urlWith('theirs') } });
    expect((await fetch(`${platform.url}/api/health`)).status).toBe(200);
    expect(platform.pids().store).toEqual([]);
    expect(existsSync(join(platform.home, 'store', 'data'))).toBe(false);
    await platform.stop();
    expect(isAlive(server)).toBe(true);
  });

  it('is refused when it does not let us in, without repeating the password', async () => {
    const home = mkdtempSync(join(tmpdir(), 'lilac-e2e-'));
    const settings = {
      LILAC_HOME: home,
      LILAC_PORT: String(await findFreePort()),
      LILAC_DATABASE_URL: urlWith('not-theirs'),
    };
    const { exitCode, stdout, stderr } = await runServer(settings);
    expect(exitCode).toBe(1);
    expect(stderr).toContain('LILAC_DATABASE_URL');
    expect(stdout + stderr).not.toContain('not-theirs');
    rmSync(home, { recursive: true, force: true });
  });

  it('is waited for when it cannot be reached; a stop meanwhile is quiet, even when it reaches every process', async () => {
    const home = mkdtempSync(join(tmpdir(), 'lilac-e2e-'));
    const child = startServer({
      LILAC_HOME: home,
      LILAC_PORT: String(await findFreePort()),
      LILAC_DATABASE_URL: 'postgresql://lilac:secret-word@127.0.0.1:1/lilac',
      LILAC_LOG_LEVEL: 'debug',
    });
    await until('it says what it waits for', () => child.output().includes('Still waiting'));
    process.kill(-child.pid, 'SIGTERM');
    expect(await child.ended).toBe(0);
    expect(child.output()).toContain('LILAC_DATABASE_URL names (127.0.0.1:1/lilac)');
    expect(child.output()).not.toMatch(/secret-word|AbortError|starting it again/);
    rmSync(home, { recursive: true, force: true });
  });
});
