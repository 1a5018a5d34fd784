import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { pathsOf, readConfig } from '../../config.ts';
import { tryLock } from '../../lib/file-lock.ts';
import { lookAtRoles, lookAtSupervisor } from './process-checks.ts';

const home = mkdtempSync(join(tmpdir(), 'lilac-doctor-'));
const host = { config: readConfig({ LILAC_HOME: home }), environment: {} };
const paths = pathsOf(host.config);
/** Above what the kernel ever gives out. */
const NOBODYS_PID = 2 ** 30;

beforeAll(() => mkdirSync(paths.run));
afterAll(() => rmSync(home, { recursive: true, force: true }));

describe('process checks', () => {
  it('warn when nothing runs, without calling it a failure', () => {
    expect(lookAtSupervisor(host).status).toBe('warn');
    expect(lookAtRoles(host).status).toBe('ok');
  });

  it('a lock that a dead supervisor left counts for nothing', () => {
    writeFileSync(paths.supervisorLock, JSON.stringify({ pid: process.pid, startTime: '1' }));
    expect(lookAtSupervisor(host).status).toBe('warn');
  });

  it('tell the processes of every role, and fail when one is gone', () => {
    const release = tryLock(paths.supervisorLock);
    writeFileSync(
      paths.roles,
      JSON.stringify({ supervisor: [process.pid], store: [], api: [process.pid], edge: [process.pid] }),
    );
    expect(lookAtRoles(host)).toMatchObject({ status: 'ok', found: `api (${process.pid}), edge (${process.pid})` });
    writeFileSync(paths.roles, JSON.stringify({ api: [process.pid], worker: [NOBODYS_PID] }));
    expect(lookAtRoles(host)).toMatchObject({
      status: 'fail',
      found: expect.stringContaining('not running: worker') as string,
    });
    release();
  });
});
