import type { IncomingMessage, ServerResponse } from 'node:http';
import { rm } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { isSameText } from '../../../lib/same-text.ts';
import { inner } from '../../inner-paths.ts';
import { CONTROL_PORT, INSTANCE_HEADER, type Claim, type Reach } from './agreement.ts';
import { listeners } from './firewall.ts';
import type { Program } from './program.ts';

// An import would bring what Node has of a browser along: 13 MB in every task.
const { createServer } = process.getBuiltinModule('node:http');

const MAX_BODY = 1024 ** 2;
/** So that whoever asked hears of it. */
const ANSWER_MS = 50;
const CLEAR_MS = 2000;

/** What the platform asks of this task. Whoever does not know the token is told nothing. */
export function serveControl(program: Program, token: string): void {
  const server = createServer((request, response) => {
    answer(program, token, request).then(
      (body) => send(response, 200, body),
      (error: unknown) => send(response, error instanceof Refused ? error.status : 500, { message: messageOf(error) }),
    );
  });
  // A claim answers when everything has been fetched, and an end is waited for as long as it takes.
  server.requestTimeout = 0;
  server.listen(CONTROL_PORT, '0.0.0.0');
}

/** What is asked before anybody knows whose it is. */
const FOR_ANYBODY = ['GET /', 'POST /claim'];

class Refused extends Error {
  readonly status: number;
  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

async function answer(program: Program, token: string, request: IncomingMessage): Promise<unknown> {
  if (!isKnown(request, token)) throw new Refused(401, 'The token is missing or wrong.');
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://task');
  const number = (name: string) => Number(searchParams.get(name) ?? 0);
  const position = () => ({ stdout: number('stdout'), stderr: number('stderr') });
  const asked = `${request.method} ${pathname}`;
  const meant = request.headers[INSTANCE_HEADER];
  if (!FOR_ANYBODY.includes(asked) && meant !== undefined && meant !== program.instanceId) {
    throw new Refused(421, 'This is another instance.');
  }
  switch (asked) {
    case 'GET /':
      return program.status();
    case 'POST /claim':
      return claim(program, (await read(request)) as Claim, request.socket.remoteAddress);
    case 'POST /reach':
      return program.setReach((await read(request)) as Reach);
    case 'GET /exit':
      return program.over();
    case 'GET /usage':
      return program.usage();
    case 'GET /listeners':
      return listeners();
    case 'GET /tail':
      return program.outputs.tail(program.instanceId, number('count'));
    case 'GET /output':
      return output(program, position(), number('max'));
    case 'POST /release':
      return program.outputs.release(program.instanceId, position());
    case 'POST /stop':
      return program.stop(number('graceMs'));
    case 'POST /end':
      void end();
      return null;
    default:
      throw new Refused(404, 'There is nothing here.');
  }
}

/**
 * Swarm replaces what fails, and leaves what ends well. Its container stays for a while, on the disk of its machine:
 * not with all that was brought, unless that takes long.
 */
async function end(): Promise<void> {
  await delay(ANSWER_MS);
  await Promise.race([rm(inner.app, { recursive: true, force: true }), delay(CLEAR_MS)]).catch(() => {});
  process.exit(0);
}

async function claim(program: Program, wanted: Claim, caller: string | undefined): Promise<void> {
  try {
    if (await program.claim(wanted, caller)) return;
  } catch (error) {
    throw new Refused(422, messageOf(error));
  }
  throw new Refused(409, 'This task is another instance.');
}

function output(program: Program, from: { stdout: number; stderr: number }, max: number) {
  const part = program.outputs.read(program.instanceId, from, max);
  return { ...part, stdout: part.stdout.toString('base64'), stderr: part.stderr.toString('base64') };
}

function isKnown(request: IncomingMessage, token: string): boolean {
  return isSameText(request.headers.authorization ?? '', `Bearer ${token}`);
}

async function read(request: IncomingMessage): Promise<unknown> {
  let text = '';
  for await (const chunk of request.setEncoding('utf8')) {
    text += chunk as string;
    if (text.length > MAX_BODY) throw new Refused(413, 'That is too much.');
  }
  return JSON.parse(text);
}

function send(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body ?? null));
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
