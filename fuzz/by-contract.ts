import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { once } from 'node:events';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { createAccount, signInByCommands } from '../e2e/acknowledged-writes.ts';
import { createDeployer } from '../e2e/deploying.ts';
import { startPlatform, type Platform } from '../e2e/platform.ts';
import { start } from '../server/src/lib/exec.ts';
import { startGitHost } from '../server/src/testing/git-host.ts';

/**
 * Lets schemathesis, which knows nothing of our code, read the OpenAPI document of a real platform and send what it
 * thinks of: no answer may be a 5xx, and none may be other than the document says. What stands behind `--` goes to it.
 */
const { values, positionals: furtherOptions } = parseArgs({
  allowPositionals: true,
  options: { minutes: { type: 'string', default: '5' }, seed: { type: 'string', default: '1' } },
});

const VERSION = '4.32.5';
const LONGEST_LEG_MINUTES = 10;
const CHECKS = [
  'not_a_server_error',
  'status_code_conformance',
  'content_type_conformance',
  'response_headers_conformance',
  'response_schema_conformance',
  'ignored_auth',
];
/**
 * Streams have no end; it would start a server of a database for every name it thinks of, and soon delete what all the
 * rest is about; and the last one it cannot read: it writes a list of two numbers as older documents had it, and then
 * refuses that.
 */
const LEFT_OUT = String.raw`/stream$|/databases/(create|restore)$|/delete$|/cleanup$|/config/containerplatform$`;

/** It keeps what it has found where it runs, and begins with that the next time: every run is to be by its seed alone. */
const folder = mkdtempSync(join(tmpdir(), 'lilac-fuzz-'));
process.once('exit', () => rmSync(folder, { recursive: true, force: true }));

const program = await findSchemathesis();
// No repository host of the world is asked.
await using git = await startGitHost();
await using platform = await startPlatform({ env: { LILAC_RATE_LIMIT: '100000000', LILAC_VCS_URL: git.url } });
const { key, ids } = await plant(platform);
// A key is refused what only people may, so half of the time is a person's.
const minutes = Number(values.minutes) / 2;
process.exitCode = Math.max(await sendAs(key, { minutes }), await sendAsPerson(minutes));

interface Seeds {
  key: string;
  /** By the names of the fields that take them. */
  ids: Record<string, string>;
}

/** Something of most kinds, and a key for it. */
async function plant(platform: Platform): Promise<Seeds> {
  const deployer = createDeployer(platform, await createAccount(platform));
  const { client, targetOrganisationId } = deployer;
  const application = await deployer.createFromFiles('Site', { 'index.html': 'home' });
  const deployment = await deployer.healthy((await deployer.newest(application)).id);
  const folder = await client.call('projects.create', { body: { targetOrganisationId, name: 'Folder' } });
  const key = await client.call('api-keys.create', { body: { targetOrganisationId, name: 'Fuzz', role: 'admin' } });
  const organisation = { targetOrganisationId, organisationId: targetOrganisationId, orgId: targetOrganisationId };
  const { id: applicationId, environmentId } = application;
  const ids = { ...organisation, applicationId, environmentId, deploymentId: deployment.id, projectId: folder.id };
  return { key: key.secret, ids: { ...ids, uploadId: await deployer.upload({ 'index.html': 'more' }) } };
}

/** An access token lives 15 minutes, so that a longer time is several sessions'. */
async function sendAsPerson(minutes: number): Promise<number> {
  let worst = 0;
  for (let left = minutes, leg = 0; left > 0; left -= LONGEST_LEG_MINUTES, leg++) {
    const { token } = await signInByCommands(platform);
    worst = Math.max(worst, await sendAs(token, { minutes: Math.min(left, LONGEST_LEG_MINUTES), leg }));
  }
  return worst;
}

function sendAs(credential: string, { minutes, leg = 0 }: { minutes: number; leg?: number }): Promise<number> {
  const { url } = platform;
  const seed = String(Number(values.seed) + leg);
  const seconds = String(Math.max(1, Math.round(minutes * 60)));
  const options = ['--checks', CHECKS.join(','), '--phases', 'examples,fuzzing', '--exclude-path-regex', LEFT_OUT];
  const limits = ['--max-time', seconds, '--seed', seed, '--workers', '1', '--request-timeout', '30'];
  const who = ['--header', `Authorization: Bearer ${credential}`, '--url', url];
  const argv = [program, 'run', `${url}/api/openapi.json`, ...who, ...options, ...limits, ...furtherOptions] as const;
  const hooks = { SCHEMATHESIS_HOOKS: 'known_ids', PYTHONPATH: import.meta.dirname, PYTHONDONTWRITEBYTECODE: '1' };
  return runToEnd(argv, { ...process.env, ...hooks, LILAC_FUZZ_IDS: JSON.stringify(ids) });
}

/** Installed once, beside the other caches of whoever runs it. */
async function findSchemathesis(): Promise<string> {
  const cache = process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache');
  const folder = join(cache, 'lilac', `schemathesis-${VERSION}`);
  const program = join(folder, 'bin', 'schemathesis');
  if (existsSync(program)) return program;
  console.error(`Installing schemathesis ${VERSION} into ${folder} …`);
  const isInstalled =
    (await runToEnd(['python3', '-m', 'venv', folder])) === 0 &&
    (await runToEnd([
      join(folder, 'bin', 'pip'),
      'install',
      '--quiet',
      '--only-binary=:all:',
      `schemathesis==${VERSION}`,
    ])) === 0;
  if (isInstalled) return program;
  rmSync(folder, { recursive: true, force: true });
  throw new Error('schemathesis could not be installed: it needs Python 3.10 or newer with venv, and a package index.');
}

async function runToEnd(argv: readonly [string, ...string[]], env = process.env): Promise<number> {
  const child = start(argv, { cwd: folder, env, stdio: 'inherit' });
  const [code] = (await once(child, 'exit')) as [number | null];
  return code ?? 1;
}
