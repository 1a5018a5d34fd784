import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createLilac, DeploymentFailed, memorySession, SignedOut, type Lilac } from '../sdk/src/lilac.ts';
import { run } from '../server/src/lib/exec.ts';
import { createAccount, type NewAccount } from './acknowledged-writes.ts';
import { launchBrowser } from './console/browser.ts';
import { visit, zip, type Files } from './deploying.ts';
import { startPlatform, type Platform } from './platform.ts';

/** The SDK from its source here, and as it is packed: in an older Node and in a browser, far from this repository. */
const sdk = join(import.meta.dirname, '..', 'sdk');
let platform: Platform;
let account: NewAccount;
let apiKey: string;
let targetOrganisationId: string;
let lilac: Lilac;
let outside: string;

beforeAll(async () => {
  outside = mkdtempSync(join(tmpdir(), 'lilac-sdk-'));
  platform = await startPlatform({ env: { LILAC_RATE_LIMIT: '1000000' } });
  account = await createAccount(platform);
  targetOrganisationId = account.organisationId;
  const person = createLilac({ baseUrl: platform.url, token: account.token });
  const body = { targetOrganisationId, name: 'the SDK', role: 'admin' as const };
  apiKey = (await person.api.apiKeys.create({ body })).secret;
  lilac = createLilac({ baseUrl: platform.url, token: apiKey });
});
afterAll(async () => {
  await platform?.[Symbol.asyncDispose]();
  rmSync(outside, { recursive: true, force: true });
});

/** Says so many lines, a few each second, and fails in the end where it is told to. */
function talking(lines: number, exitCode = 0): Files {
  const says = `for i in $(seq ${lines}); do echo "said $i"; sleep 0.05; done`;
  return { 'build.sh': `${says}; mkdir -p out; echo hello > out/index.html; exit ${exitCode}\n` };
}

async function deploy(name: string, files: Files): Promise<{ applicationId: string; deploymentId: string }> {
  const { uploadId } = await lilac.upload(new Blob([new Uint8Array(await zip(files))]));
  const settings = { deploymentType: 'static', buildCommand: 'sh build.sh', outputDirectory: 'out' } as const;
  const { id: applicationId } = await lilac.api.applications.createFromUpload({
    body: { name, uploadId, ...settings },
  });
  const { environments } = await lilac.api.applications.get({ body: { applicationId } });
  const [deployment] = await lilac.api.deployments.list({ body: { environmentId: environments[0]!.id } });
  return { applicationId, deploymentId: deployment!.id };
}

describe('from its source', () => {
  it('follows a deployment over a killed api: every line once and in order, then the end', async () => {
    const { applicationId, deploymentId } = await deploy('Followed', talking(100));
    const said: number[] = [];
    const statuses: string[] = [];
    const deployment = await lilac.waitForDeployment(deploymentId, {
      onStatus: ({ status }) => statuses.push(status),
      onLog(text) {
        const number = /said (\d+)$/.exec(text)?.[1];
        if (number && said.push(Number(number)) === 10)
          for (const pid of platform.pids()['api']!) process.kill(pid, 'SIGKILL');
      },
    });
    expect(said).toEqual(Array.from({ length: 100 }, (_, index) => index + 1));
    expect(deployment.status).toBe('healthy');
    expect(statuses.at(-1)).toBe('healthy');
    const environment = await lilac.waitUntilHealthy({ applicationId });
    expect((await visit(environment.url)).body).toBe('hello\n');
  });

  it('throws a failed deployment with its stage, its reason and its last lines', async () => {
    const { applicationId } = await deploy('Failing', talking(3, 7));
    const failure: unknown = await lilac.waitUntilHealthy({ applicationId }).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(DeploymentFailed);
    const { stage, error, lastLines } = failure as DeploymentFailed;
    expect(stage).toBe('building');
    expect(error).toMatch(/7/);
    expect(lastLines.join('\n')).toContain('said 3');
  });

  it('keeps a person signed in, and knows when that is over', async () => {
    const session = memorySession({ token: 'worn-out', refreshToken: account.refreshToken });
    const person = createLilac({ baseUrl: platform.url, session });
    const [profile] = await Promise.all([person.api.auth.profile(), person.api.auth.profile()]);
    expect(profile.organisations.map(({ id }) => id)).toEqual([targetOrganisationId]);
    const pair = await session.read();
    expect(pair?.refreshToken).not.toBe(account.refreshToken);
    await person.api.auth.logout({ body: { refreshToken: pair!.refreshToken! } });
    await session.write({ ...pair!, token: 'worn-out' });
    const late = createLilac({ baseUrl: platform.url, session });
    await expect(late.api.auth.profile()).rejects.toBeInstanceOf(SignedOut);
    expect(await session.read()).toBeNull();
  });
});

describe('as it is packed', () => {
  let home: string;
  let manifest: string;
  beforeAll(async () => {
    manifest = readFileSync(join(sdk, 'package.json'), 'utf8');
    home = await packInto(outside);
  });

  it('leaves the package of this repository as it was', () => {
    expect(readFileSync(join(sdk, 'package.json'), 'utf8')).toBe(manifest);
    expect(JSON.parse(manifest)).toMatchObject({ exports: { '.': './src/lilac.ts' } });
  });

  it('deploys from a program of its own, in the Node of the system', async () => {
    writeFileSync(join(outside, 'site.zip'), await zip({ 'index.html': 'from far away' }));
    writeFileSync(join(outside, 'deploy.mjs'), DEPLOY);
    const env = { PATH: process.env['PATH'], LILAC_URL: platform.url, LILAC_TOKEN: apiKey };
    const node = existsSync('/usr/bin/node') ? '/usr/bin/node' : process.execPath;
    const finished = await run([node, 'deploy.mjs'], { cwd: outside, env });
    expect(finished).toMatchObject({ exitCode: 0, stderr: '' });
    const { url, names, sent, size } = JSON.parse(finished.stdout) as {
      url: string;
      names: string[];
      sent: number;
      size: number;
    };
    expect((await visit(url)).body).toBe('from far away');
    expect(names).toContain('Far away');
    expect(sent).toBe(size);
  });

  it('can be used with types where nobody has zod', async () => {
    writeFileSync(join(outside, 'use.mts'), USE);
    const tsc = join(sdk, '..', 'node_modules', 'typescript', 'bin', 'tsc');
    const flags = ['--noEmit', '--strict', '--target', 'es2022', '--lib', 'es2022,dom', '--module', 'nodenext'];
    const checked = await run([process.execPath, tsc, ...flags, 'use.mts'], { cwd: outside, env: process.env });
    expect(checked.stdout).toBe('');
  });

  it('lists and uploads in a browser, with progress, and nothing but the bytes goes to the signed address', async () => {
    const archive = await zip({ 'index.html': 'from a browser', 'noise.bin': noise(3_000_000) });
    const browser = await launchBrowser();
    try {
      const page = await browser.newPage({ baseURL: platform.url });
      const puts: Record<string, string>[] = [];
      page.on('request', (request) => void (request.method() === 'PUT' && puts.push(request.headers())));
      await page.route('**/sdk-test/*', async (route) => {
        const name = new URL(route.request().url()).pathname.split('/').at(-1);
        if (name === 'lilac.js')
          await route.fulfill({ contentType: 'text/javascript', path: join(home, 'dist', 'lilac.js') });
        else if (name === 'site.zip') await route.fulfill({ contentType: 'application/zip', body: archive });
        else await route.fulfill({ contentType: 'text/html', body: '<!doctype html><title>SDK</title>' });
      });
      await page.goto('/sdk-test/page');
      const told = await page.evaluate<Told>(`(${IN_PAGE})(${JSON.stringify(apiKey)})`);
      expect(told.names).toContain('Far away');
      expect(told.upload).toMatchObject({ status: 'ready', size: archive.length });
      expect(told.progress.at(-1)).toEqual([archive.length, archive.length]);
      expect(told.progress.every(([sent], index, all) => index === 0 || sent >= all[index - 1]![0])).toBe(true);
      expect(told.streamed).toMatchObject({ status: 'ready', size: archive.length });
      expect(told.aborted).toBe('the person left');
      expect(puts.length).toBeGreaterThanOrEqual(2);
      expect(puts.every((headers) => !('authorization' in headers))).toBe(true);
    } finally {
      await browser.close();
    }
  });
});

/** Unpacks what `npm pack` gives to where a program there finds it; returns that place. */
async function packInto(folder: string): Promise<string> {
  const home = join(folder, 'node_modules', '@lilac', 'sdk');
  mkdirSync(home, { recursive: true });
  const name = await mustRun(['npm', 'pack', '--silent', '--pack-destination', folder], sdk);
  await mustRun(['tar', '-xzf', name.trim().split('\n').at(-1)!, '-C', home, '--strip-components=1'], folder);
  return home;
}

async function mustRun(argv: [string, ...string[]], cwd: string): Promise<string> {
  const { exitCode, stdout, stderr } = await run(argv, { cwd, env: process.env, timeoutMs: 170_000 });
  if (exitCode !== 0) throw new Error(`${argv.join(' ')} ended with ${exitCode}: ${stdout}${stderr}`);
  return stdout;
}

interface Told {
  names: string[];
  upload: object;
  streamed: object;
  progress: [number, number][];
  aborted: string;
}

function noise(bytes: number): Buffer {
  return Buffer.concat(
    Array.from({ length: Math.ceil(bytes / 65_536) }, () =>
      Buffer.from(crypto.getRandomValues(new Uint8Array(65_536))),
    ),
  );
}

const DEPLOY = `
import { openAsBlob } from 'node:fs';
import { createLilac } from '@lilac/sdk';

const lilac = createLilac({ baseUrl: process.env.LILAC_URL, token: process.env.LILAC_TOKEN });
const archive = await openAsBlob('site.zip');
let sent = 0;
const { uploadId, size } = await lilac.upload(archive, { onProgress: (bytes) => (sent = bytes) });
const body = { name: 'Far away', uploadId, deploymentType: 'static' };
const { id: applicationId } = await lilac.api.applications.createFromUpload({ body });
const { url } = await lilac.waitUntilHealthy({ applicationId });
const names = [];
for await (const { name } of lilac.items('applications.list')) names.push(name);
console.log(JSON.stringify({ url, names, sent, size }));
`;

const USE = `
import { createLilac, isNotFound, type Deployment, type Item } from '@lilac/sdk';
const lilac = createLilac({ baseUrl: 'https://lilac.example.org', token: 'lc_x' });
export const id: Promise<{ id: string; status: Deployment['status'] }> = lilac.waitForDeployment('dep_1');
export const kind = (each: Item<'databases.list'>): 'postgresql' | 'mysql' => each.database_type;
for await (const told of lilac.stream('deployments.stream', { params: { targetOrganisationId: '-', deploymentId: 'x' } })) {
  if (told.event === 'log') told.data.text.trim();
}
// @ts-expect-error a field that is missing
void lilac.api.applications.get({ body: {} });
// @ts-expect-error an endpoint that does not exist
void lilac.call('applications.nothing');
void lilac.call('auth.profile').catch((error: unknown) => isNotFound(error) && error.code.trim());
`;

const IN_PAGE = `async (token) => {
  const { createLilac } = await import('/sdk-test/lilac.js');
  const lilac = createLilac({ baseUrl: location.origin, token });
  const names = [];
  for await (const { name } of lilac.items('applications.list')) names.push(name);
  const archive = await (await fetch('/sdk-test/site.zip')).blob();
  const progress = [];
  const upload = await lilac.upload(archive, { onProgress: (...bytes) => progress.push(bytes) });
  const streamed = await lilac.upload({ size: archive.size, stream: () => archive.stream() });
  const ending = new AbortController();
  const leave = () => ending.abort(new Error('the person left'));
  const aborted = await lilac
    .upload(archive, { onProgress: leave, signal: ending.signal })
    .then(() => 'not at all', (error) => error.message);
  return { names, upload, streamed, progress, aborted };
}`;
