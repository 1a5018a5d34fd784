/**
 * What does the platform cost on top of the work itself? A static archive of a thousand files, from the
 * request to healthy, against `unzip` of the same archive. Then a Vite application, against a bare
 * `npm ci && npm run build` of the same files: with nothing cached on either side, and on a redeploy with
 * the same lock file, where the install step should cost next to nothing. `--static` measures the first only, `--build`
 * the second.
 */
import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { dirname, join } from 'node:path';
import { createAccount } from '../e2e/acknowledged-writes.ts';
import {
  createDeployer,
  readExample,
  visit,
  zip,
  type Application,
  type Deployer,
  type Files,
} from '../e2e/deploying.ts';
import { startPlatform, until, type Platform } from '../e2e/platform.ts';
import { findHostNpm, type HostNpm } from '../server/src/build/toolchain/host-npm.ts';
import { run } from '../server/src/lib/exec.ts';
import { healthyAt, tookMs } from './deploy/wait-for-end.ts';
import { scratchFolder } from './measuring/interruption.ts';
import { median } from './measuring/median.ts';
import { profiling } from './measuring/profiling.ts';
import { report } from './measuring/report.ts';
import { roundsOf } from './measuring/rounds-of.ts';

const FILES = 1000;
const STATIC_ROUNDS = roundsOf(9);
const STATIC_TARGET_MS = 500;
const COLD_ROUNDS = roundsOf(5);
const COLD_TARGET = 1.1;
const WARM_ROUNDS = roundsOf(5);
const WARM_TARGET_SECONDS = 0.5;

const scratch = scratchFolder('deploy');
let putAside = 0;
/**
 * Where a folder goes that is not needed any more; all of it is removed in the end. A file system that has just
 * removed thousands of files takes a second longer to create others (ext4 spares their numbers for minutes).
 */
const outOfTheWay = (): string => join(scratch, `aside-${putAside++}`);
/**
 * As whoever runs this has it, but on the platform's own Node and without what npm adds for its scripts. npm looks for
 * the machine's settings beside its Node: below another one it finds them only where it is told, as builds are told.
 */
const bareEnvironment = {
  ...Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/^npm_(?!config_registry)|^NODE_ENV$/.test(name)),
  ),
  ...settingsOfNpm(findHostNpm(process.env.PATH)),
  PATH: `${dirname(process.execPath)}:${process.env.PATH}`,
} as Record<string, string>;
await using platform = await startPlatform({
  env: { LILAC_RATE_LIMIT: '1000000', LILAC_LOG_LEVEL: 'warn', ...profiling() },
});
const deployer = createDeployer(platform, await createAccount(platform));
if (!process.argv.includes('--build')) await measureStatic(deployer);
if (!process.argv.includes('--static')) await measureBuild(platform, deployer);

async function measureStatic(deployer: Deployer): Promise<void> {
  const application = await deployer.createFromFiles('Static', { 'index.html': 'first' });
  await deployer.healthy((await deployer.newest(application)).id);
  const [deploys, unzips]: [number[], number[]] = [[], []];
  for (let round = -1; round < STATIC_ROUNDS; round++) {
    const files = thousandFiles(round);
    const unzipped = await timeUnzip(await zip(files));
    const deployed = await timeDeploy(deployer, application, files);
    await untilCompressed(application, '/assets/1/file-1.css');
    if (round < 0) continue;
    deploys.push(deployed);
    unzips.push(unzipped);
  }
  await tellStages(deployer, application);
  report({
    name: `static site of ${FILES} files, request to healthy against unzip`,
    unit: 'ms',
    ours: median(deploys),
    theirs: median(unzips),
    more: median(deploys.map((ms, round) => ms - unzips[round]!)),
    bar: { of: 'more', atMost: STATIC_TARGET_MS },
  });
}

/** What the platform does after a release should not slow down the next round. */
async function untilCompressed({ url }: Application, path: string): Promise<void> {
  await until('the release is compressed', async () => {
    const { headers } = await visit(url, path, { 'accept-encoding': 'br' });
    return headers['content-encoding'] === 'br';
  });
}

/** New in each round: nothing of it is there already. */
function thousandFiles(round: number): Files {
  const files: Files = { 'index.html': `<!doctype html><title>round ${round}</title>` };
  for (let number = 1; number < FILES; number++) {
    const text = `/* ${randomBytes(1500).toString('base64')} */\n`;
    files[`assets/${number % 20}/file-${number}.${['js', 'css', 'svg', 'html'][number % 4]}`] = text.repeat(
      1 + (number % 4),
    );
  }
  return files;
}

async function timeDeploy(deployer: Deployer, application: Application, files: Files): Promise<number> {
  const uploadId = await deployer.upload(files);
  const startedAt = performance.now();
  const { id } = await startDeploy(deployer, application, uploadId);
  return (await healthyAt(deployer, application.environmentId, id)) - startedAt;
}

function startDeploy({ client, targetOrganisationId }: Deployer, { id: applicationId }: Application, uploadId: string) {
  return client.call('applications.deploy', { body: { targetOrganisationId, applicationId, uploadId } });
}

async function timeUnzip(archive: Buffer): Promise<number> {
  const [file, folder] = [join(scratch, 'archive.zip'), join(scratch, 'unzipped')];
  writeFileSync(file, archive);
  const startedAt = performance.now();
  await mustRun(['unzip', '-q', file, '-d', folder]);
  const ms = performance.now() - startedAt;
  renameSync(folder, outOfTheWay());
  return ms;
}

async function measureBuild(platform: Platform, deployer: Deployer): Promise<void> {
  const files = await readExample('vite-react');
  const [cold, bare, coldBusy, bareBusy]: [number[], number[], number[], number[]] = [[], [], [], []];
  let application!: Application;
  for (let round = 0; round < COLD_ROUNDS; round++) {
    const beforeBare = busySeconds();
    bare.push((await timeBare(files)) / 1000);
    bareBusy.push(busySeconds() - beforeBare);
    // Node itself is there for both.
    const caches = join(platform.home, 'cache', 'builds');
    if (existsSync(caches)) renameSync(caches, outOfTheWay());
    const beforeCold = busySeconds();
    const beganAt = Date.now();
    application = await deployer.createFromFiles(`Vite ${round}`, files);
    const { id } = await deployer.newest(application);
    cold.push((await tookMs(deployer, application.environmentId, { deploymentId: id, beganAt })) / 1000);
    coldBusy.push(busySeconds() - beforeCold);
    // Else the bare build of the next round would share the machine with it, and look slower than it is.
    await untilCompressed(application, await findScript(application));
  }
  await tellStages(deployer, application);
  compare('Vite, nothing cached, against npm ci && npm run build', [cold, bare], COLD_TARGET);
  compare('Vite, processor time of the whole machine meanwhile', [coldBusy, bareBusy]);
  await measureWarm(deployer, application, files);
}

/** Seconds of both, by the median of the rounds' own ratios. */
function compare(name: string, [ours, theirs]: [number[], number[]], atMost?: number): void {
  report({
    name,
    unit: 's',
    ours: median(ours),
    theirs: median(theirs),
    ratio: median(ours.map((value, round) => value / theirs[round]!)),
    bar: atMost === undefined ? undefined : { of: 'ratio', atMost },
  });
}

/** The one script of the built site. */
async function findScript({ url }: Application): Promise<string> {
  const { body } = await visit(url);
  const path = /src="(\/assets\/[^"]+\.js)"/.exec(body)?.[1];
  if (!path) throw new Error(`The built page names no script:\n${body}`);
  return path;
}

async function measureWarm(deployer: Deployer, application: Application, files: Files): Promise<void> {
  const [installs, wholes]: [number[], number[]] = [[], []];
  for (let round = 0; round < WARM_ROUNDS; round++) {
    const uploadId = await deployer.upload({ ...files, 'public/round.txt': String(round) });
    const beganAt = Date.now();
    const { id } = await startDeploy(deployer, application, uploadId);
    wholes.push(await tookMs(deployer, application.environmentId, { deploymentId: id, beganAt }));
    const { deployment_logs } = await deployer.newest(application);
    const took = deployment_logs.map((line) => /^==> Installed in ([\d.]+) s$/.exec(line)?.[1]).find(Boolean);
    if (!took) throw new Error(`Nothing tells how long it took to install:\n${deployment_logs.join('\n')}`);
    installs.push(Number(took));
  }
  console.log(`Vite, same lock file: the whole deployment ${(median(wholes) / 1000).toFixed(2)} s`);
  report({
    name: 'Vite, install step with the same lock file',
    unit: 's',
    ours: median(installs),
    bar: { of: 'ours', atMost: WARM_TARGET_SECONDS },
  });
}

async function tellStages(deployer: Deployer, application: Application): Promise<void> {
  const { deployment_logs } = await deployer.newest(application);
  const stages = deployment_logs.flatMap((line) => /^==> (.+ in [\d.]+ s)$/.exec(line)?.[1] ?? []);
  console.log(`the last one: ${stages.join(', ')}`);
}

/**
 * With caches of its own that are empty (npm keeps its compiled self in the temporary folder), in a folder of its own.
 */
async function timeBare(files: Files): Promise<number> {
  const folder = join(scratch, 'bare');
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  }
  if (!existsSync(join(folder, 'package-lock.json')))
    throw new Error('The example has no package-lock.json for npm ci.');
  const caches = { npm_config_cache: join(scratch, 'npm-cache'), TMPDIR: join(scratch, 'tmp') };
  mkdirSync(caches.TMPDIR);
  const env = { ...bareEnvironment, ...caches };
  const startedAt = performance.now();
  await mustRun(['npm', 'ci'], { cwd: folder, env });
  await mustRun(['npm', 'run', 'build'], { cwd: folder, env });
  const ms = performance.now() - startedAt;
  for (const each of [folder, ...Object.values(caches)]) renameSync(each, outOfTheWay());
  return ms;
}

function settingsOfNpm(npm: HostNpm | null): Record<string, string> {
  return npm?.settings ? { npm_config_globalconfig: npm.settings } : {};
}

async function mustRun(argv: [string, ...string[]], options: { cwd?: string; env?: Record<string, string> } = {}) {
  const { exitCode, stderr } = await run(argv, { env: bareEnvironment, ...options, timeoutMs: 600_000 });
  if (exitCode !== 0) throw new Error(`${argv.join(' ')} ended with ${exitCode}: ${stderr}`);
}

/**
 * How long the machine's cores have worked: steadier than the clock where others share the machine, and nothing is
 * left out but this program itself, which only for the platform has an archive to make, to send and to ask after.
 */
function busySeconds(): number {
  const { user, system } = process.cpuUsage();
  const busyMs = cpus().reduce((sum, { times }) => sum + times.user + times.nice + times.sys + times.irq, 0);
  return (busyMs - (user + system) / 1000) / 1000;
}
