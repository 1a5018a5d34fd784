import { randomUUID } from 'node:crypto';
import type { Platform } from './platform.ts';

export interface Account {
  token: string;
  organisationId: string;
}

export interface NewAccount extends Account {
  refreshToken: string;
}

const ada = { email: 'ada@example.org', password: 'a long pass phrase' };

/**
 * An owner and a session of theirs: by the link of a new platform, which takes a moment, or the operator's commands.
 */
export async function createAccount(platform: Platform): Promise<NewAccount> {
  return (await setUp(platform)) ?? (await createByCommands(platform));
}

/** Null where it cannot be used: there is none, its host serves nobody, or another host has printed one since. */
async function setUp({ url, setupLink }: Platform): Promise<NewAccount | null> {
  if (setupLink === null) return null;
  const answer = await fetch(`${url}/api/auth/setup`, {
    method: 'POST',
    // A browser would be given its refresh token as a cookie.
    headers: { 'content-type': 'application/json', 'x-client-type': 'cli' },
    body: JSON.stringify({
      ...ada,
      setupToken: new URL(setupLink).hash.slice(1),
      firstName: 'ada',
      organisationName: 'Acme',
    }),
  }).catch(() => null);
  if (answer?.status !== 201) return null;
  const { token, refreshToken } = (await answer.json()) as Pick<NewAccount, 'token' | 'refreshToken'>;
  const profile = await fetch(`${url}/api/auth/profile`, { headers: { authorization: `Bearer ${token}` } });
  const { organisations } = (await profile.json()) as { organisations: { id: string }[] };
  return { token, refreshToken, organisationId: organisations[0]!.id };
}

async function createByCommands(platform: Platform): Promise<NewAccount> {
  const { email, password } = ada;
  const organisation = ['--organisation', 'Acme', '--plan', 'pro', '--json'];
  await mustSucceed(
    platform.lilac('admin', 'owner', 'create', '--email', email, '--password', password, ...organisation),
  );
  return signInByCommands(platform);
}

/** One more session of the owner that `createAccount` made. */
export async function signInByCommands(platform: Platform): Promise<NewAccount> {
  const opened = await mustSucceed(platform.lilac('admin', 'session', 'create', '--email', ada.email, '--json'));
  return JSON.parse(opened) as NewAccount;
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

/** The names that the platform has folders of. */
export async function readFolders(url: string, account: Account): Promise<Set<string>> {
  return new Set(await listFolders(url, account));
}

/** One for each folder: a name that two have is there twice. */
export async function listFolders(url: string, { token, organisationId }: Account): Promise<string[]> {
  const names: string[] = [];
  for (let page = 1, pages = 1; page <= pages; page++) {
    const body = { targetOrganisationId: organisationId, page, limit: 100 };
    const response = await call(url, '/api/projects', token, body);
    if (response.status !== 200) throw new Error(`${response.status} ${await response.text()}`);
    const answer = (await response.json()) as { items: { name: string }[]; totalPages: number };
    names.push(...answer.items.map(({ name }) => name));
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
