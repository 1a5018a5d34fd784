import { randomUUID } from 'node:crypto';
import type { Platform } from './platform.ts';

export interface Account {
  token: string;
  organisationId: string;
}

/** An owner and a session of theirs, by the operator's commands. */
export async function createAccount(platform: Platform): Promise<Account> {
  const email = 'ada@example.org';
  const organisation = ['--organisation', 'Acme', '--plan', 'pro', '--json'];
  await mustSucceed(
    platform.lilac('admin', 'owner', 'create', '--email', email, '--password', 'a long pass phrase', ...organisation),
  );
  return JSON.parse(
    await mustSucceed(platform.lilac('admin', 'session', 'create', '--email', email, '--json')),
  ) as Account;
}

/** Creates folders one after another, and remembers which of them the platform said it has. */
export interface Writer {
  acknowledged: ReadonlySet<string>;
  /** What was not acknowledged: refused, or the connection broke. */
  failures: readonly string[];
  stop(): Promise<void>;
}

export function startWriting(url: string, { token, organisationId }: Account, label: string): Writer {
  const acknowledged = new Set<string>();
  const failures: string[] = [];
  const stopping = new AbortController();
  // A test that is tried again must not meet the names of its first attempt.
  const run = randomUUID().slice(0, 8);
  const write = async (name: string) => {
    const response = await call(url, '/api/projects/create', token, { targetOrganisationId: organisationId, name });
    if (response.status === 201) acknowledged.add(name);
    else failures.push(`${response.status} ${await response.text()}`);
  };
  const writing = (async () => {
    for (let number = 0; !stopping.signal.aborted; number++) {
      await write(`${label} ${run} ${number}`).catch((error: Error) => failures.push(error.message));
    }
  })();
  return {
    acknowledged,
    failures,
    async stop() {
      stopping.abort();
      await writing;
    },
  };
}

/** The names of all folders that the platform has. */
export async function readFolders(url: string, { token, organisationId }: Account): Promise<Set<string>> {
  const names = new Set<string>();
  for (let page = 1, pages = 1; page <= pages; page++) {
    const body = { targetOrganisationId: organisationId, page, limit: 100 };
    const response = await call(url, '/api/projects', token, body);
    if (response.status !== 200) throw new Error(`${response.status} ${await response.text()}`);
    const answer = (await response.json()) as { items: { name: string }[]; totalPages: number };
    for (const { name } of answer.items) names.add(name);
    pages = answer.totalPages;
  }
  return names;
}

function call(url: string, path: string, token: string, body: object): Promise<Response> {
  return fetch(url + path, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(20_000),
  });
}

async function mustSucceed(finished: ReturnType<Platform['lilac']>): Promise<string> {
  const { exitCode, stdout, stderr } = await finished;
  if (exitCode !== 0) throw new Error(`lilac ended with ${exitCode}: ${stderr || stdout}`);
  return stdout;
}
