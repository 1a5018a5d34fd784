import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { randomBytes } from 'node:crypto';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createLilac, type Lilac } from '../sdk/src/lilac.ts';
import { run, start } from '../server/src/lib/exec.ts';
import { createAccount } from './acknowledged-writes.ts';
import { visit, type Files } from './deploying.ts';
import { startPlatform, until, type Platform } from './platform.ts';

/** The program itself, as people and pipelines call it. */
const root = join(import.meta.dirname, '..');
const program = join(root, 'cli', 'bin', 'lilac.mjs');
const MEBIBYTE = 1024 ** 2;
let platform: Platform;
let lilac: Lilac;
let env: Record<string, string>;
let outside: string;

beforeAll(async () => {
  outside = mkdtempSync(join(tmpdir(), 'lilac-cli-'));
  platform = await startPlatform({ env: { LILAC_RATE_LIMIT: '1000000' } });
  const { token, organisationId: targetOrganisationId } = await createAccount(platform);
  const person = createLilac({ baseUrl: platform.url, token });
  const { secret } = await person.api.apiKeys.create({ body: { targetOrganisationId, name: 'CI', role: 'admin' } });
  lilac = createLilac({ baseUrl: platform.url, token: secret });
  mkdirSync(join(outside, 'bin'));
  const script = `#!/bin/sh\nexec '${process.execPath}' '${program}' "$@"\n`;
  writeFileSync(join(outside, 'bin', 'lilac'), script, { mode: 0o755 });
  const path = [join(outside, 'bin'), dirname(process.execPath), process.env['PATH']].join(delimiter);
  env = { PATH: path, HOME: outside, LANG: 'C.UTF-8', LILAC_API_URL: platform.url, LILAC_TOKEN: secret };
});
afterAll(async () => {
  await platform?.[Symbol.asyncDispose]();
  rmSync(outside, { recursive: true, force: true });
});

function folder(name: string, files: Files): string {
  const path = join(outside, name);
  for (const [file, content] of Object.entries(files)) {
    mkdirSync(dirname(join(path, file)), { recursive: true });
    writeFileSync(join(path, file), content);
  }
  return path;
}

/** Goes on until it is told to stop; served is what it says before. */
const endless = { 'package.json': '{"scripts":{"build":"echo it builds; sleep 600"}}' };

/** It collects soon what it needs no more: else its peak tells how seldom it does so, on a busy machine above all. */
const tidy = { NODE_OPTIONS: '--max-semi-space-size=1' };

/** Runs it, and sends SIGINT as soon as it has said a thing; tells what it used until then. */
async function interruptAt(said: string, cwd: string, ...argv: string[]) {
  const child = start([process.execPath, program, 'deploy', ...argv], {
    cwd,
    env: { ...env, ...tidy },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let [output, peakBytes] = ['', 0];
  const look = (text: string) => {
    output += text;
    if (peakBytes > 0 || !output.includes(said)) return;
    peakBytes = peakOf(child.pid!);
    child.kill('SIGINT');
  };
  child.stdout?.setEncoding('utf8').on('data', look);
  child.stderr?.setEncoding('utf8').on('data', look);
  const exitCode = await new Promise<number | null>((resolve) => child.once('close', resolve));
  return { exitCode, output, peakBytes };
}

function peakOf(pid: number): number {
  return Number(/^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1]) * 1024;
}

/** Nothing of it is left: no application, no reserved upload, no link. */
async function expectNothingLeft(name: string): Promise<void> {
  const names: string[] = [];
  for await (const each of lilac.items('applications.list')) if (each.status !== 'deleting') names.push(each.name);
  expect(names).not.toContain(name);
  expect(await lilac.api.upload.cleanup({ body: {} })).toEqual({ removed: 0 });
  expect(existsSync(join(outside, name, 'lilac.json'))).toBe(false);
}

describe('lilac deploy', () => {
  it('deploys a folder with one page, as a person sees it in a terminal', async () => {
    const cwd = folder('hello', { 'index.html': '<h1>Hello</h1>' });
    const tmux = (...argv: string[]) => run(['tmux', '-L', `lilac-${process.pid}`, ...argv], { cwd, env });
    await tmux('new-session', '-d', '-x', '80', '-y', '40', 'lilac deploy; echo "ended with $?"; sleep 600');
    try {
      let screen = '';
      await until('the deployment has ended', async () => {
        screen = (await tmux('capture-pane', '-p')).stdout;
        return screen.includes('ended with');
      });
      const lines = screen.split('\n').map((line) => line.trimEnd());
      expect(lines.find((line) => line.includes('Deploying'))).toContain('as a new application, "hello"');
      expect(lines).toContainEqual(expect.stringMatching(/^✓ Packed 1 file, 14 B \d/));
      expect(lines).toContainEqual(expect.stringMatching(/^✓ Uploaded \d+ B \d/));
      expect(lines).toContain('▸ Fetching the source');
      const end = lines.findIndex((line) => /^✓ Live after \d/.test(line));
      const [url, last] = lines.slice(end + 1);
      expect(last).toBe('ended with 0');
      expect((await visit(url!)).body).toBe('<h1>Hello</h1>');
    } finally {
      await tmux('kill-server');
    }
  });

  it('deploys by the lines of the CI recipe, again and again to the same application', async () => {
    const recipe = /## The lines\n```sh\n([^]*?)```/.exec(readFileSync(join(root, 'docs', 'ci.md'), 'utf8'))![1]!;
    const cwd = join(outside, 'hello');
    const { applicationId } = JSON.parse(readFileSync(join(cwd, 'lilac.json'), 'utf8')) as { applicationId: string };
    folder('hello', { 'index.html': 'second' });
    const { exitCode, stdout, stderr } = await run(['bash', '-e', '-u', '-o', 'pipefail', '-c', recipe], { cwd, env });
    expect({ exitCode, stderr }).toMatchObject({ exitCode: 0, stderr: expect.stringContaining('==> Live at ') });
    const url = /^It is served at (\S+)\n$/.exec(stdout)![1]!;
    expect((await visit(url)).body).toBe('second');
    expect((await visit(`${url}/lilac.json`)).body).not.toContain(applicationId);
    const { url: own } = await lilac.api.applications.get({ body: { applicationId } });
    expect(own).toBe(url);
    const back = await run([process.execPath, program, 'rollback'], { cwd, env });
    expect(back).toMatchObject({ exitCode: 0, stdout: `${url}\n` });
    expect((await visit(url)).body).toBe('<h1>Hello</h1>');
  });

  it('ends with 1 when the build fails, and tells why, at which lines, and what to do', async () => {
    const build = 'echo step one; echo it is broken; exit 3';
    const cwd = folder('broken', { 'index.html': 'x', 'package.json': JSON.stringify({ scripts: { build } }) });
    const argv = ['deploy', '--json', '--type', 'static', '--build-command', 'npm run build'];
    const { exitCode, stdout, stderr } = await run([process.execPath, program, ...argv], { cwd, env });
    const answer = JSON.parse(stdout) as { status: string; lastLines: string[]; deployment_id: string };
    expect({ exitCode, answer }).toMatchObject({ exitCode: 1, answer: { status: 'failed' } });
    expect(answer.lastLines).toContain('it is broken');
    expect(stderr).toContain(`To see more: lilac deployments get ${answer.deployment_id}`);
    expect(existsSync(join(cwd, 'lilac.json'))).toBe(true);
  });

  it('refuses in words of its own what cannot be deployed, before anything is made', async () => {
    mkdirSync(join(outside, 'empty'));
    const empty = await run([process.execPath, program, 'deploy', 'empty'], { cwd: outside, env });
    expect(empty).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('nothing to deploy') });
    const twin = folder('twin/hello', { 'index.html': 'another' });
    const refused = await run([process.execPath, program, 'deploy'], { cwd: twin, env });
    expect(refused).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('There is an application "hello"') });
    await expectNothingLeft('empty');
  });
});

describe('Ctrl-C during lilac deploy', () => {
  it('leaves nothing while it packs, uploads or begins, and 90 MB take no more memory than a page', async () => {
    const bytes = randomBytes(9 * MEBIBYTE);
    const parts = Array.from({ length: 10 }, (_, index) => [
      `part-${index}.bin`,
      Buffer.concat([Buffer.from([index]), bytes]),
    ]);
    const large = folder('large', { 'index.html': 'large', ...(Object.fromEntries(parts) as Files) });
    const packing = await interruptAt('Deploying', large);
    expect(packing).toMatchObject({ exitCode: 130, output: expect.not.stringContaining('Packed') });
    const uploading = await interruptAt('Packed', large);
    expect(uploading).toMatchObject({ exitCode: 130, output: expect.not.stringContaining('Uploaded') });
    await expectNothingLeft('large');
    const sent = await interruptAt('Uploaded', large);
    expect(sent).toMatchObject({ exitCode: 130 });
    await expectNothingLeft('large');
    const small = await interruptAt('Uploaded', folder('small', { 'index.html': 'small' }));
    await expectNothingLeft('small');
    expect((sent.peakBytes - small.peakBytes) / MEBIBYTE).toBeLessThan(45);
  });

  it('cancels a first build and removes what it made', async () => {
    const cwd = folder('begun', endless);
    const { exitCode, output } = await interruptAt(
      'it builds',
      cwd,
      '--type',
      'static',
      '--build-command',
      'npm run build',
    );
    expect(output).toContain('The deployment was cancelled, and the new application "begun" was removed again.');
    expect(exitCode).toBe(130);
    await expectNothingLeft('begun');
  });

  it('cancels a release whose instance does not answer yet, and removes what it made', async () => {
    const cwd = folder('silent', {
      'package.json': '{"scripts":{"start":"node server.js"}}',
      'server.js': 'setInterval(() => {}, 1000);',
    });
    const { exitCode, output } = await interruptAt('==> Starting', cwd, '--type', 'container');
    expect(output).toContain('The deployment was cancelled, and the new application "silent" was removed again.');
    expect(exitCode).toBe(130);
    await expectNothingLeft('silent');
  });

  it('cancels a later build, and what was served before still is', async () => {
    const cwd = join(outside, 'hello');
    const { applicationId } = JSON.parse(readFileSync(join(cwd, 'lilac.json'), 'utf8')) as { applicationId: string };
    const { url, environments } = await lilac.api.applications.get({ body: { applicationId } });
    await lilac.api.environments.update({
      body: { environmentId: environments[0]!.id, buildCommand: 'npm run build' },
    });
    folder('hello', endless);
    const { exitCode, output } = await interruptAt('it builds', cwd);
    expect(output).toContain('What was served before is still served.');
    expect(exitCode).toBe(130);
    const [newest] = await lilac.api.deployments.list({ body: { environmentId: environments[0]!.id } });
    expect(newest).toMatchObject({ status: 'cancelled', is_live: false });
    expect((await visit(url)).body).toBe('<h1>Hello</h1>');
    expect(existsSync(join(cwd, 'lilac.json'))).toBe(true);
  });
});

describe('lilac db', () => {
  it.each([
    ['postgresql', 'select ssl from pg_stat_ssl where pid = pg_backend_pid()', 't', 0],
    [
      'mysql',
      "select variable_value <> '' from information_schema.session_status where variable_name = 'ssl_cipher'",
      '1',
      1,
    ],
  ])('makes a database of %s and opens an encrypted session in it', async (type, question, answer, afterError) => {
    const create: [string, ...string[]] = [
      process.execPath,
      program,
      'db',
      'create',
      `my ${type}`,
      '--database-type',
      type,
      '--json',
    ];
    const made = await run(create, { cwd: outside, env });
    const { id, status } = JSON.parse(made.stdout) as { id: string; status: string };
    expect({ status, stderr: made.stderr }).toMatchObject({
      status: 'healthy',
      stderr: expect.stringContaining('Ready'),
    });
    const connect = (sql: string) =>
      run(['sh', '-c', `printf '%s;\\n' "$1" | lilac db connect "$2"`, 'sh', sql, id], { cwd: outside, env });
    expect((await connect(question)).stdout.split(/\s+/)).toContain(answer);
    // As the client has it: psql goes on after a statement that failed, mariadb does not.
    expect(await connect('select nonsense')).toMatchObject({ exitCode: afterError });
  });
});
