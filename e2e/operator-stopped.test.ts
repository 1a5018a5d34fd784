import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { run, start } from '../server/src/lib/exec.ts';
import { findRunning, startEmbeddedStore, stopEmbeddedStore } from '../server/src/store/embedded-store.ts';
import { launcher, lilacJson, runLilac, systemNodeVersion } from './operator-commands.ts';
import { startPlatform, until } from './platform.ts';

interface Session {
  token: string;
  refreshToken: string;
  organisationId: string;
}

let folder: string;
let home: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'lilac-e2e-'));
  home = join(folder, 'home');
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const json = <T>(...argv: string[]) => lilacJson<T>(argv, { home });
const createSession = () => json<Session>('admin', 'session', 'create', '--email', 'ada@example.org');
const storeProcess = () => findRunning({ directory: join(home, 'store') });

describe("operator's commands without a server", () => {
  it('begin an installation, and leave nothing running', async () => {
    const named = ['--email', 'ada@example.org', '--organisation', 'Acme', '--plan', 'pro'];
    const { exitCode, stdout } = await runLilac(['admin', 'owner', 'create', ...named, '--password-stdin', '--json'], {
      home,
      input: 'correct horse battery\n',
    });
    expect({ exitCode, created: JSON.parse(stdout) as object }).toMatchObject({
      exitCode: 0,
      created: { plan: 'pro' },
    });
    expect(storeProcess()).toBeNull();
    expect(statSync(home).mode & 0o777).toBe(0o700);
    expect(statSync(join(home, 'secrets', 'keyring.json')).mode & 0o777).toBe(0o600);
  });

  it('take turns when several are given at once', async () => {
    const sessions = await Promise.all([createSession(), createSession(), createSession()]);
    expect(new Set(sessions.map(({ refreshToken }) => refreshToken)).size).toBe(3);
    expect(storeProcess()).toBeNull();
  });

  it('stop the store they started when they are interrupted', async () => {
    const env = { PATH: process.env['PATH'], LILAC_HOME: home };
    const command = start([process.execPath, launcher, 'admin', 'key', 'rotate'], { env, stdio: 'ignore' });
    const ended = new Promise((resolve) => command.once('exit', resolve));
    await until('the command has started the store', () => storeProcess() !== null);
    command.kill('SIGINT');
    await ended;
    expect(storeProcess()).toBeNull();
    expect(await createSession()).toHaveProperty('token');
  });

  it('leave a store running that ran before them, as after a kill of the supervisor', async () => {
    const password = readFileSync(join(home, 'secrets', 'store-password'), 'utf8').trim();
    const options = { directory: join(home, 'store'), logFile: join(home, 'logs', 'store.log'), password };
    const left = await startEmbeddedStore(options);
    await createSession();
    expect(storeProcess()).toEqual(left.process);
    await stopEmbeddedStore(left.process);
  });

  it('the doctor finds nothing broken, only that it does not run', async () => {
    const { exitCode, stdout } = await runLilac(['doctor', '--json'], { home, environment: { LILAC_PORT: '1' } });
    const { checks } = JSON.parse(stdout) as { checks: { id: string; status: string }[] };
    const statusOf = (id: string) => checks.find((check) => check.id === id)?.status;
    expect(statusOf('processes.supervisor')).toBe('warn');
    expect(statusOf('store.server')).toBe('ok');
    expect(exitCode).toBe(checks.some(({ status }) => status === 'fail') ? 1 : 0);
  });
});

describe('a backup', () => {
  it('brings everything back after the whole home was lost', async () => {
    const file = join(folder, 'one.backup');
    const before = await createSession();
    const key = await (async () => {
      await using platform = await startPlatform({ home });
      const body = JSON.stringify({ targetOrganisationId: before.organisationId, name: 'ci' });
      const headers = { authorization: `Bearer ${before.token}`, 'content-type': 'application/json' };
      const created = await fetch(`${platform.url}/api/api-keys/create`, { method: 'POST', headers, body });
      expect(created.status).toBe(201);
      expect((await platform.lilac('backup', file)).exitCode).toBe(0);
      return (await created.json()) as { secret: string };
    })();
    expect(statSync(file).mode & 0o777).toBe(0o600);

    rmSync(home, { recursive: true });
    expect(await json('restore', file)).toMatchObject({ rows: { users: 1, api_keys: 1 } });
    expect(storeProcess()).toBeNull();

    await using platform = await startPlatform({ home });
    expect(platform.setupLink).toBeNull();
    const profile = await fetch(`${platform.url}/api/auth/profile`, {
      headers: { authorization: `Bearer ${before.token}` },
    });
    expect(profile.status).toBe(200);
    const applications = await fetch(`${platform.url}/api/applications`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key.secret}`, 'content-type': 'application/json' },
      body: '{}',
    });
    expect(applications.status).toBe(200);
  });

  it('does not overwrite an installation that is in use', async () => {
    const { exitCode, stderr } = await runLilac(['restore', join(folder, 'one.backup')], { home });
    expect(exitCode).toBe(1);
    expect(stderr).toContain('in use');
    expect(await createSession()).toHaveProperty('token');
  });
});

function runAsOther(...argv: string[]) {
  const theirs = process.getuid?.() === 0 ? home : '/root/.lilac';
  const program = join(import.meta.dirname, 'operator-as-other-user.ts');
  return run([process.execPath, program, ...argv], { env: { PATH: process.env['PATH'], LILAC_HOME: theirs } });
}

describe('lilac as another user', () => {
  it('is refused, and changes nothing', async () => {
    const keysBefore = readFileSync(join(home, 'secrets', 'keyring.json'), 'utf8');
    const { exitCode, stdout, stderr } = await runAsOther('admin', 'key', 'rotate');
    expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: '' });
    expect(stderr).toMatch(/belongs to another user|You may not read LILAC_HOME/);
    expect(readFileSync(join(home, 'secrets', 'keyring.json'), 'utf8')).toBe(keysBefore);
  });

  it('learns from the doctor that it cannot look, and nothing that is not so', async () => {
    const { exitCode, stdout } = await runAsOther('doctor', '--json');
    expect(exitCode).toBe(1);
    const { checks } = JSON.parse(stdout) as { checks: { id: string; status: string; found: string }[] };
    const findingOf = (id: string) => checks.find((check) => check.id === id);
    expect(findingOf('home.folder')).toMatchObject({ status: 'fail' });
    for (const id of ['home.key-file', 'store.server', 'store.schema', 'processes.supervisor', 'processes.roles']) {
      const found = expect.stringContaining('not checked: LILAC_HOME') as string;
      expect(findingOf(id)).toMatchObject({ status: 'warn', found });
    }
  });
});

describe('the launcher', () => {
  it("runs on the system's Node, whichever it is, and is listed where people look", async () => {
    const { exitCode, stdout } = await runLilac(['--help'], { home });
    expect(exitCode).toBe(0);
    const single = [...stdout.matchAll(/^ {2}(server|doctor|backup|restore) {2,}/gm)].map((match) => match[1]!);
    const admin = /^ {2}admin {2,}([^]*?)\n\n/m
      .exec(stdout)![1]!
      .split(/,\s+/)
      .map((words) => `admin ${words}`);
    const commands = [...single, ...admin];
    expect(commands.length).toBeGreaterThan(5);
    for (const command of commands) {
      const help = await runLilac([...command.split(' '), '--help'], { home });
      expect(help).toMatchObject({ exitCode: 0, stdout: expect.stringContaining(`Usage: lilac ${command}`) as string });
    }
  });

  it("goes on with the Node that npm brought where the system's is too old, else with the system's", async () => {
    const system = await systemNodeVersion();
    const expected = Number(/^v(\d+)/.exec(system)?.[1]) < 24 ? process.version : system;
    const { stdout } = await runLilac(['doctor', '--json'], { home });
    const { checks } = JSON.parse(stdout) as { checks: { id: string; found: string }[] };
    expect(checks.find(({ id }) => id === 'machine.node')?.found).toContain(`${expected}, `);
  });
});
