import { existsSync, rmSync } from 'node:fs';
import { once } from 'node:events';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { createAccount } from '../e2e/acknowledged-writes.ts';
import { createDeployer } from '../e2e/deploying.ts';
import { startPlatform, type Platform } from '../e2e/platform.ts';
import { start } from '../server/src/lib/exec.ts';

/**
 * Lets schemathesis, which knows nothing of our code, read the OpenAPI document of a real platform and send what it
 * thinks of: no answer may be a 5xx, and none may be other than the document says.
 */
const { values } = parseArgs({
  options: { minutes: { type: 'string', default: '5' }, seed: { type: 'string', default: '1' } },
});

const VERSION = '4.32.5';
const CHECKS = [
  'not_a_server_error',
  'status_code_conformance',
  'content_type_conformance',
  'response_headers_conformance',
  'response_schema_conformance',
  'ignored_auth',
];
/** Streams have no end; and it would start a server of a database for every name it thinks of. */
const LEFT_OUT = String.raw`/stream$|^/api/databases/(create|restore)$`;

const program = await findSchemathesis();
// No repository host of the world is asked.
await using platform = await startPlatform({
  env: { LILAC_RATE_LIMIT: '100000000', LILAC_VCS_URL: 'http://127.0.0.1:9' },
});
process.exitCode = await runSchemathesis(program, platform, await seed(platform));

/** Something of most kinds, and a key for it. */
async function seed(platform: Platform): Promise<string> {
  const deployer = createDeployer(platform, await createAccount(platform));
  const { client, targetOrganisationId } = deployer;
  const application = await deployer.createFromFiles('Site', { 'index.html': 'home' });
  await deployer.healthy((await deployer.newest(application)).id);
  await client.call('projects.create', { body: { targetOrganisationId, name: 'Folder' } });
  const key = await client.call('api-keys.create', { body: { targetOrganisationId, name: 'Fuzz', role: 'admin' } });
  return key.secret;
}

function runSchemathesis(program: string, { url }: Platform, key: string): Promise<number> {
  const seconds = String(Math.max(1, Math.round(Number(values.minutes) * 60)));
  const options = [
    '--checks',
    CHECKS.join(','),
    '--phases',
    'examples,coverage,fuzzing',
    '--exclude-path-regex',
    LEFT_OUT,
  ];
  const limits = ['--max-time', seconds, '--seed', values.seed, '--workers', '2', '--request-timeout', '30'];
  const who = ['--header', `Authorization: Bearer ${key}`, '--url', url];
  return runToEnd([program, 'run', `${url}/api/openapi.json`, ...who, ...options, ...limits, '--continue-on-failure']);
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

async function runToEnd(argv: [string, ...string[]]): Promise<number> {
  const child = start(argv, { cwd: import.meta.dirname, env: process.env, stdio: 'inherit' });
  const [code] = (await once(child, 'exit')) as [number | null];
  return code ?? 1;
}
