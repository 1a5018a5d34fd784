import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { run, start } from '../server/src/lib/exec.ts';

const requirements = join(import.meta.dirname, 'requirements.txt');
const digest = createHash('sha256').update(readFileSync(requirements)).digest('hex').slice(0, 12);
const cache = process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache');
/** Beside the other caches of whoever runs it; other versions have another folder. */
const folder = join(cache, 'lilac', `schemathesis-${digest}`);
/** There when all of it is. */
const stamp = join(folder, 'installed');

/** The program, as the set-up for tests has installed it; null where that could not be. */
export function findSchemathesis(): string | null {
  return existsSync(stamp) ? join(folder, 'bin', 'schemathesis') : null;
}

/** From PyPI, with all that it needs. Answers what went wrong, or null. */
export async function installSchemathesis(): Promise<string | null> {
  if (findSchemathesis()) return null;
  rmSync(folder, { recursive: true, force: true });
  const pip = join(folder, 'bin', 'pip');
  const steps: [string, ...string[]][] = [
    ['python3', '-m', 'venv', folder],
    [pip, 'install', '--quiet', '--disable-pip-version-check', '--only-binary=:all:', '--requirement', requirements],
  ];
  for (const argv of steps) {
    const options = { env: process.env, timeoutMs: 300_000 };
    const problem = await run(argv, options).then(
      ({ exitCode, stdout, stderr }) => (exitCode === 0 ? null : stderr || stdout || `${argv[0]} was ended`),
      (error: Error) => error.message,
    );
    if (problem !== null) {
      rmSync(folder, { recursive: true, force: true });
      return problem;
    }
  }
  writeFileSync(stamp, '');
  return null;
}

export interface Sent {
  program: string;
  url: string;
  credential: string;
  /** What is there, by the names of the fields that take it. */
  ids: Record<string, string>;
  seed: number;
  /** How long or how much, and whatever else it is to be told. */
  options: readonly string[];
  /** Ends it. */
  signal?: AbortSignal;
}

export interface Outcome {
  /** 0: every answer was right. */
  exitCode: number | null;
  output: string;
}

const CHECKS = [
  'not_a_server_error',
  'status_code_conformance',
  'content_type_conformance',
  'response_headers_conformance',
  'response_schema_conformance',
  'ignored_auth',
];
/**
 * What it must leave alone. Streams have no end, and it waits for one. It would start a server of a database for every
 * name it thinks of. It would delete what all the rest is about, or lose the right to it: it finds its own session and
 * ends it, puts itself out of the organisation, or takes a plan that keys are no part of. The last one it cannot read:
 * it writes a list of two numbers as older documents had it, and then refuses that.
 */
const LEFT_OUT = [
  '/stream$',
  '/databases/(create|restore)$',
  '/delete$|/cleanup$|/uninstall$',
  '/sessions/revoke$|/members/(remove|update)$|/organisations/plan$',
  '/config/containerplatform$',
].join('|');

/**
 * Lets schemathesis, which knows nothing of our code, read the OpenAPI document of a platform and send what it thinks
 * of: no answer may be a 5xx, and none may be other than the document says.
 */
export async function sendByContract(sent: Sent, tell = (_text: string) => {}): Promise<Outcome> {
  const { program, url, credential, ids, seed, options, signal } = sent;
  // It keeps what it has found where it runs, and begins with that the next time: every run is to be by its seed alone.
  const workplace = mkdtempSync(join(tmpdir(), 'lilac-fuzz-'));
  const what = ['--checks', CHECKS.join(','), '--phases', 'examples,fuzzing', '--exclude-path-regex', LEFT_OUT];
  const how = ['--seed', String(seed), '--workers', '1', '--request-timeout', '30', '--no-color'];
  const who = ['--header', `Authorization: Bearer ${credential}`, '--url', url];
  const hooks = { SCHEMATHESIS_HOOKS: 'known_ids', PYTHONPATH: import.meta.dirname, PYTHONDONTWRITEBYTECODE: '1' };
  try {
    const child = start([program, 'run', `${url}/api/openapi.json`, ...who, ...what, ...how, ...options], {
      cwd: workplace,
      env: { ...process.env, ...hooks, LILAC_FUZZ_IDS: JSON.stringify(ids) },
      stdio: ['ignore', 'pipe', 'pipe'],
      ...(signal && { signal }),
    });
    let output = '';
    for (const stream of [child.stdout!, child.stderr!]) {
      stream.setEncoding('utf8').on('data', (chunk: string) => {
        output += chunk;
        tell(chunk);
      });
    }
    const [exitCode] = (await once(child, 'close')) as [number | null];
    return { exitCode, output };
  } finally {
    rmSync(workplace, { recursive: true, force: true });
  }
}
