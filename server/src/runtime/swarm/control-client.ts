import { createHmac } from 'node:crypto';
import { request } from 'node:http';
import { answerOf, bodyOf } from '../../lib/answer-of.ts';
import type { Exit, Listener, OutputPart, OutputPosition, Usage } from '../runtime.ts';
import { INSTANCE_HEADER, type Claim, type Reach, type TaskStatus } from './init/agreement.ts';

/** The first process of a task, as the platform asks it. */
export interface TaskControl {
  status(timeoutMs?: number): Promise<TaskStatus>;
  /** Answers when the program runs. Asked again with the same, it changes nothing. */
  claim(claim: Claim, signal?: AbortSignal): Promise<void>;
  setReach(reach: Reach): Promise<void>;
  /** Answers when the program has ended. */
  exit(signal: AbortSignal): Promise<Exit>;
  usage(): Promise<Omit<Usage, 'cpus'> | null>;
  listeners(): Promise<Listener[]>;
  tail(count: number): Promise<string[]>;
  output(from: OutputPosition, maxBytes: number): Promise<OutputPart>;
  release(before: OutputPosition): Promise<void>;
  stop(graceMs: number): Promise<void>;
  end(): Promise<void>;
}

export class ControlRefused extends Error {
  readonly status: number;
  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/** Who answers is another: the port was given anew. */
export const isAnother = (error: unknown): boolean => error instanceof ControlRefused && error.status === 421;

/** Derived, not kept: whoever leads next knows it too. */
export const tokenOf = (key: Buffer, serviceName: string): string =>
  createHmac('sha256', key).update(serviceName).digest('base64url');

const SOON_MS = 5000;
/** Much output may take longer, as long as some of it comes. */
const OUTPUT_MS = 60_000;
/** More than any output that is asked for at once: whoever has the port by now may say anything. */
const MAX_ANSWER_BYTES = 64 * 1024 * 1024;
/** Files of many megabytes are fetched meanwhile. */
export const CLAIM_MS = 15 * 60_000;

export interface ControlPlace {
  host: string;
  controlPort: number;
  /** Only this one is meant: whoever has its port by now refuses. */
  instanceId?: string;
}

export function createControl(at: ControlPlace, token: string): TaskControl {
  const call = <T>(method: string, path: string, options: CallOptions = {}) =>
    callTask({ ...at, token, method, path, ...options }) as Promise<T>;
  return {
    status: (timeoutMs = SOON_MS) => call('GET', '/', { timeoutMs }),
    claim: (claim, signal) => call('POST', '/claim', { body: claim, timeoutMs: CLAIM_MS, signal }),
    setReach: (reach) => call('POST', '/reach', { body: reach }),
    exit: (signal) => call('GET', '/exit', { timeoutMs: null, signal }),
    usage: () => call('GET', '/usage'),
    listeners: () => call('GET', '/listeners'),
    tail: (count) => call('GET', `/tail?count=${count}`),
    async output(from, maxBytes) {
      const path = `/output?${words(from)}&max=${maxBytes}`;
      const part = await call<PartOnTheWay>('GET', path, { timeoutMs: OUTPUT_MS, idleMs: SOON_MS });
      return {
        ...part,
        stdout: Buffer.from(part.stdout, 'base64'),
        stderr: Buffer.from(part.stderr, 'base64'),
        writtenAt: { stdout: new Date(part.writtenAt.stdout), stderr: new Date(part.writtenAt.stderr) },
      };
    },
    release: (before) => call('POST', `/release?${words(before)}`),
    stop: (graceMs) => call('POST', `/stop?graceMs=${graceMs}`, { timeoutMs: graceMs + 30_000 }),
    end: () => call('POST', '/end'),
  };
}

const words = ({ stdout, stderr }: OutputPosition): string => `stdout=${stdout}&stderr=${stderr}`;

interface PartOnTheWay extends Omit<OutputPart, 'stdout' | 'stderr' | 'writtenAt'> {
  stdout: string;
  stderr: string;
  writtenAt: { stdout: string; stderr: string };
}

interface CallOptions {
  body?: unknown;
  /** Null: as long as it takes. */
  timeoutMs?: number | null;
  /** So long it may be silent. */
  idleMs?: number;
  signal?: AbortSignal | undefined;
}

interface Call extends CallOptions, ControlPlace {
  token: string;
  method: string;
  path: string;
}

async function callTask({ host, controlPort: port, method, path, body, ...call }: Call): Promise<unknown> {
  const { timeoutMs = SOON_MS, idleMs } = call;
  const signals = [
    ...(call.signal ? [call.signal] : []),
    ...(timeoutMs === null ? [] : [AbortSignal.timeout(timeoutMs)]),
  ];
  const limits = { signal: AbortSignal.any(signals), maxBytes: MAX_ANSWER_BYTES };
  const asked = request({ host, port, method, path, headers: headersOf(call), agent: false, signal: limits.signal });
  asked.on('socket', (socket) => {
    // A machine that is gone says nothing: what waits for long has to notice by itself.
    socket.setKeepAlive(true, 5000);
    if (idleMs) socket.setTimeout(idleMs, () => asked.destroy(new Error(`It said nothing for ${idleMs} ms.`)));
  });
  asked.end(body === undefined ? undefined : JSON.stringify(body));
  const response = await answerOf(asked, limits);
  const said = JSON.parse((await bodyOf(response, limits)).toString()) as { message?: string } | null;
  const status = response.statusCode ?? 500;
  if (status === 200) return said;
  throw new ControlRefused(status, said?.message ?? `It answers ${status}.`);
}

const headersOf = ({ token, instanceId }: Pick<Call, 'token' | 'instanceId'>): Record<string, string> => ({
  authorization: `Bearer ${token}`,
  ...(instanceId && { [INSTANCE_HEADER]: instanceId }),
});
