import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { run, start } from '../lib/exec.ts';
import { fastImport, type CommitOptions, type TestFiles } from './git-import.ts';

export interface GitCredential {
  username: string;
  password: string;
}

export interface GitRequest {
  method: string;
  url: string;
  authorization: string | null;
}

/** Something in front of the repositories; true when it has answered, or will. */
export type GitIntercept = (request: IncomingMessage, response: ServerResponse) => boolean;

export interface GitVisit {
  /** Of the repository. */
  name: string;
  wants: 'read' | 'write';
  credential: GitCredential | null;
}

export interface GitPush {
  name: string;
  credential: GitCredential | null;
  changes: RefChange[];
}

export interface RefChange {
  /** `refs/heads/main`. */
  ref: string;
  /** Null where it was not there, or is no longer. */
  before: string | null;
  after: string | null;
}

/** A real smart-HTTP git host on loopback: node in front of `git http-backend`. Repositories are `owner/name`. */
export interface GitHost extends AsyncDisposable {
  url: string;
  /** Everything that was asked, in order. */
  requests: GitRequest[];
  /** With files, `main` gets a first commit, whose sha is answered; without, it is empty. */
  createRepository(name: string, files?: TestFiles): Promise<string>;
  commit(name: string, options: CommitOptions): Promise<string>;
  deleteBranch(name: string, branch: string): Promise<void>;
  /** From now on the repository is private. */
  requireCredential(name: string, credential: GitCredential): void;
  /** Whatever begins with this path is sent elsewhere. */
  redirect(path: string, location: string): void;
  intercept(answer: GitIntercept): void;
  /** Runs git in the bare repository, for what no friendly program would make. */
  git(name: string, args: string[], input?: string | Buffer): Promise<string>;
  /** The same for output that is not text, or whose every byte counts. */
  read(name: string, args: string[]): Promise<Buffer>;
  folderOf(name: string): string;
}

export interface GitHostOptions {
  /** What the host knows: filters and objects by their name; neither; or filters only. */
  gives?: 'anything' | 'all at once' | 'nothing later';
  tls?: { key: string; cert: string };
  /**
   * Says who may read, and who may push; asked for every visit, beside `requireCredential`. Without it everybody
   * reads and nobody pushes.
   */
  admit?: (visit: GitVisit) => Promise<boolean> | boolean;
  /** Told of what a push has changed. Whoever pushed hears that it is done when this is. */
  onPush?: (push: GitPush) => Promise<void> | void;
}

export async function startGitHost(options: GitHostOptions = {}): Promise<GitHost> {
  const { gives = 'anything', tls } = options;
  const root = await mkdtemp(join(tmpdir(), 'lilac-git-host-'));
  const credentials = new Map<string, GitCredential>();
  const requests: GitRequest[] = [];
  const redirects = new Map<string, string>();
  let intercept: GitIntercept | null = null;
  const answer = (request: IncomingMessage, response: ServerResponse): void => {
    const { method = 'GET', url = '/', headers } = request;
    requests.push({ method, url, authorization: headers.authorization ?? null });
    if (intercept?.(request, response)) return;
    const moved = [...redirects].find(([path]) => url.startsWith(path));
    if (moved) response.writeHead(301, { location: moved[1] + url.slice(moved[0].length) }).end();
    else {
      const host = { ...options, root, credentials, gives };
      serve(host, request, response).catch((error: unknown) => {
        console.error(error);
        response.destroy();
      });
    }
  };
  const server = tls ? createTlsServer(tls, answer) : createServer(answer);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const folderOf = (name: string) => join(root, `${name}.git`);
  const git = (name: string, args: string[], input: string | Buffer = '') => runGit(folderOf(name), args, input);
  const commit = (name: string, options: CommitOptions) => fastImport((args, input) => git(name, args, input), options);
  return {
    url: `${tls ? 'https' : 'http'}://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    folderOf,
    git,
    read: (name, args) => readGit(folderOf(name), args, ''),
    commit,
    async createRepository(name, files) {
      const argv = ['git', 'init', '--quiet', '--bare', '--initial-branch=main', folderOf(name)] as const;
      const { exitCode, stderr } = await run(argv, { env: hostEnvironment({}) });
      if (exitCode !== 0) throw new Error(stderr);
      return files ? commit(name, { files, message: 'First commit' }) : '';
    },
    async deleteBranch(name, branch) {
      await git(name, ['update-ref', '-d', `refs/heads/${branch}`]);
    },
    requireCredential: (name, credential) => void credentials.set(name, credential),
    redirect: (path, location) => void redirects.set(path, location),
    intercept: (answerFirst) => void (intercept = answerFirst),
    async [Symbol.asyncDispose]() {
      server.close();
      server.closeAllConnections();
      await rm(root, { recursive: true, force: true });
    },
  };
}

interface Host extends Pick<GitHostOptions, 'admit' | 'onPush'> {
  root: string;
  credentials: ReadonlyMap<string, GitCredential>;
  gives: NonNullable<GitHostOptions['gives']>;
}

const SERVED = /^\/([\w.-]+(?:\/[\w.-]+)+)\/(info\/refs|git-upload-pack|git-receive-pack|HEAD|objects\/.*)$/;

async function serve(host: Host, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const url = new URL(request.url ?? '/', 'http://localhost');
  const [, path = '', file = ''] = SERVED.exec(url.pathname) ?? [];
  const name = path.replace(/\.git$/, '');
  if (!name || url.pathname.includes('..')) return void response.writeHead(404).end('Not found\n');
  const wants = (url.searchParams.get('service') ?? file) === 'git-receive-pack' ? 'write' : 'read';
  const visit: GitVisit = { name, wants, credential: readBasic(request.headers.authorization) };
  if (!(await isAdmitted(host, visit, request))) {
    return void response.writeHead(401, { 'www-authenticate': 'Basic realm="git"' }).end('Not found\n');
  }
  const isPush = wants === 'write' && file === 'git-receive-pack';
  const before = isPush ? await refsOf(host, name) : null;
  const backend = start(['git', 'http-backend'], {
    env: backendEnvironment(host, request, { url, pathInfo: `/${name}.git/${file}`, wants }),
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  request.pipe(backend.stdin!).on('error', () => {});
  response.once('close', () => backend.kill());
  answerFromCgi(backend.stdout!, response, async () => {
    if (before) await tellPush(host, visit, before);
  });
}

async function isAdmitted({ credentials, admit }: Host, visit: GitVisit, request: IncomingMessage): Promise<boolean> {
  const wanted = credentials.get(visit.name);
  if (wanted && request.headers.authorization !== basic(wanted)) return false;
  return admit ? admit(visit) : visit.wants === 'read';
}

async function tellPush(host: Host, { name, credential }: GitVisit, before: Map<string, string>): Promise<void> {
  const after = await refsOf(host, name);
  const changes = [...new Set([...before.keys(), ...after.keys()])]
    .map((ref) => ({ ref, before: before.get(ref) ?? null, after: after.get(ref) ?? null }))
    .filter((change) => change.before !== change.after);
  if (changes.length > 0) await host.onPush?.({ name, credential, changes });
}

async function refsOf({ root }: Host, name: string): Promise<Map<string, string>> {
  const lines = await runGit(join(root, `${name}.git`), ['for-each-ref', '--format=%(refname) %(objectname)'], '');
  return new Map(lines.split('\n').flatMap((line) => (line ? [line.split(' ') as [string, string]] : [])));
}

/** The answer ends once what is done before its end is done. */
function answerFromCgi(output: NodeJS.ReadableStream, response: ServerResponse, beforeEnd: () => Promise<void>): void {
  let head = Buffer.alloc(0);
  const onData = (chunk: Buffer): void => {
    head = Buffer.concat([head, chunk]);
    const end = head.indexOf('\r\n\r\n');
    if (end < 0) return;
    output.off('data', onData);
    const lines = head.subarray(0, end).toString().split('\r\n');
    const fields = lines.map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1).trim()]);
    const status = fields.find(([key]) => key === 'Status')?.[1];
    response.writeHead(Number.parseInt(status ?? '200'), fields.filter(([key]) => key !== 'Status').flat());
    response.write(head.subarray(end + 4));
    output.pipe(response, { end: false });
  };
  output.on('data', onData);
  output.once('end', () => {
    if (!response.headersSent) response.writeHead(500);
    beforeEnd().then(
      () => response.end(),
      (error: unknown) => {
        console.error(error);
        response.destroy();
      },
    );
  });
}

function backendEnvironment(
  { root, gives }: Host,
  { method, headers, socket }: IncomingMessage,
  { url, pathInfo, wants }: { url: URL; pathInfo: string; wants: GitVisit['wants'] },
): Record<string, string | undefined> {
  return {
    ...hostEnvironment({
      'uploadpack.allowFilter': String(gives !== 'all at once'),
      'uploadpack.allowAnySHA1InWant': String(gives === 'anything'),
      'http.receivepack': String(wants === 'write'),
    }),
    GIT_PROJECT_ROOT: root,
    GIT_HTTP_EXPORT_ALL: '1',
    REQUEST_METHOD: method,
    QUERY_STRING: url.search.slice(1),
    PATH_INFO: pathInfo,
    CONTENT_TYPE: headers['content-type'] ?? '',
    CONTENT_LENGTH: headers['content-length'],
    HTTP_CONTENT_ENCODING: headers['content-encoding'],
    REMOTE_ADDR: socket.remoteAddress,
    // Version 2 gives every object by its name.
    GIT_PROTOCOL: gives === 'anything' ? (headers['git-protocol'] as string | undefined) : undefined,
  };
}

function hostEnvironment(settings: Record<string, string>): Record<string, string> {
  const all = Object.entries({ 'safe.directory': '*', ...settings });
  const pairs = all.flatMap(([key, value], index) => [
    [`GIT_CONFIG_KEY_${index}`, key],
    [`GIT_CONFIG_VALUE_${index}`, value],
  ]);
  return {
    PATH: '/usr/local/bin:/usr/bin:/bin',
    HOME: '/nonexistent',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_COUNT: String(all.length),
    ...(Object.fromEntries(pairs) as Record<string, string>),
  };
}

async function runGit(folder: string, args: string[], input: string | Buffer): Promise<string> {
  return (await readGit(folder, args, input)).toString().trim();
}

async function readGit(folder: string, args: string[], input: string | Buffer): Promise<Buffer> {
  const child = start(['git', '--git-dir', folder, ...args], { env: hostEnvironment({}), stdio: 'pipe' });
  const output: Buffer[] = [];
  let errors = '';
  child.stdout?.on('data', (chunk: Buffer) => output.push(chunk));
  child.stderr?.setEncoding('utf8').on('data', (chunk: string) => (errors += chunk));
  child.stdin?.on('error', () => {}).end(input);
  const [exitCode] = (await once(child, 'close')) as [number | null];
  if (exitCode !== 0) throw new Error(`git ${args[0]}: ${errors}`);
  return Buffer.concat(output);
}

function readBasic(authorization: string | undefined): GitCredential | null {
  if (!authorization?.startsWith('Basic ')) return null;
  const [username = '', ...rest] = Buffer.from(authorization.slice(6), 'base64').toString().split(':');
  return { username, password: rest.join(':') };
}

const basic = ({ username, password }: GitCredential) =>
  `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;
