import { once } from 'node:events';
import { chmodSync, rmSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { isStoreUnavailable } from '../../db/store-unavailable.ts';
import type { Clock } from '../../lib/clock.ts';
import { Fault } from '../../lib/fault.ts';
import { newId } from '../../lib/ids.ts';
import type { Log } from '../../lib/log.ts';
import { ObjectExists, type ReceivingStore, type Standing } from '../object-store.ts';
import { answer, answerBroken, isGone, refuse } from './answer.ts';
import { lengthFault } from './length-fault.ts';
import { receiveBody, type ReceiveLimits } from './receive-body.ts';
import { sendObject } from './send-object.ts';
import { OBJECTS_PATH, readSignedGet, readSignedPut, type SignedGet, type SignedPut } from './signed-address.ts';

type ServedObjects = Pick<ReceivingStore, 'putNew' | 'assertRoom' | 'stat' | 'read' | 'remove'>;

export interface ObjectServerOptions {
  objects: ServedObjects;
  signingKey: Buffer;
  clock: Clock;
  log: Log;
  /** An address is good for no longer than somebody waits for what comes there. */
  standingOf: (key: string) => Promise<Standing>;
  limits?: Partial<ReceiveLimits>;
  /** Writes down a failure that nobody expected; left out, only the log has it. */
  keepError?: (failure: { errorId: string; error: unknown }) => void;
}

export interface ObjectServer {
  /** On a unix socket that only the platform's own processes can reach. */
  listen(socketPath: string): Promise<void>;
  /** Takes a connection of who has proven to be of this platform. */
  take(connection: Socket): void;
  /** Closes connections on which nothing is under way. */
  closeIdle(): void;
  /** Takes no more, and gives what is under way this long to end. */
  close(graceMs?: number): Promise<void>;
}

const HEADERS_TIMEOUT_MS = 10_000;
/** Whoever sends all the time, but for ever. Who sends too slowly is cut off much earlier (`receive-body.ts`). */
const REQUEST_TIMEOUT_MS = 60 * 60 * 1000;
const MAX_CONNECTIONS = 512;
const DEFAULT_LIMITS: ReceiveLimits = { slowAfterMs: 30_000, slowBytes: 30 * 1024 };

/**
 * Takes objects from outside by PUT to a signed address, and gives what was signed to be read. No credential is
 * looked at: the signature is one. No other origin may use it from a browser, since none is told it may.
 */
export function createObjectServer(options: ObjectServerOptions): ObjectServer {
  const receiver = createReceiver(options);
  const take = (request: IncomingMessage, response: ServerResponse) => void receiver(request, response);
  const server = createServer(
    { headersTimeout: HEADERS_TIMEOUT_MS, requestTimeout: REQUEST_TIMEOUT_MS, connectionsCheckingInterval: 5000 },
    take,
  );
  server.maxConnections = MAX_CONNECTIONS;
  server.on('checkContinue', take);
  server.on('checkExpectation', (request, response) => refuse(request, response, new Fault('MT003')));
  server.on('clientError', answerBroken);
  return {
    async listen(socketPath) {
      // A killed process leaves its socket behind.
      rmSync(socketPath, { force: true });
      server.listen(socketPath);
      await once(server, 'listening');
      chmodSync(socketPath, 0o600);
    },
    take: (connection) => void server.emit('connection', connection),
    closeIdle: () => server.closeIdleConnections(),
    async close(graceMs = 0) {
      const closed = once(server, 'close');
      server.close();
      const timer = setTimeout(() => server.closeAllConnections(), graceMs);
      await closed;
      clearTimeout(timer);
    },
  };
}

type Receiver = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

function createReceiver(options: ObjectServerOptions): Receiver {
  const { objects, signingKey, clock, limits, standingOf } = options;
  const receiveLimits = { ...DEFAULT_LIMITS, ...limits };
  const hasRoom = (bytes: number) => objects.assertRoom(bytes);
  const underWay = new Map<string, IncomingMessage>();
  return async (request, response) => {
    try {
      if (isReading(request)) {
        return await sendObject(request, response, { objects, object: admitGet(request, signingKey, clock) });
      }
      const put = admitPut(request, signingKey, clock);
      assertWanted(await standingOf(put.key));
      await hasRoom(announcedBytes(request, put));
      // Somebody whose connection died tries again: the newer one counts. It also keeps one address from
      // filling the disk with many halves.
      underWay.get(put.key)?.destroy();
      underWay.set(put.key, request);
      try {
        const source = receiveBody(request, response, { size: put.terms.size, hasRoom, ...receiveLimits });
        const { size } = await objects.putNew(put.key, source);
        await removeUnwanted(objects, put.key, await standingOf(put.key).catch(unlessStoreIsAway));
        answer(response, 200, { size });
      } finally {
        if (underWay.get(put.key) === request) underWay.delete(put.key);
      }
    } catch (error) {
      if (error instanceof ObjectExists) return refuse(request, response, alreadyThere());
      if (error instanceof Fault && error.code === 'SV002') options.log.warn(error.options.detail, error.message);
      const isExpected = error instanceof Fault || isGone(response);
      refuse(request, response, isExpected ? error : (storeAway(error) ?? unexpected(error, options)));
    }
  };
}

/** Nothing of it has been kept then, so that the same may be sent again. */
function storeAway(error: unknown): Fault | null {
  return isStoreUnavailable(error) ? new Fault('SV002', undefined, { retryAfterSeconds: 1 }) : null;
}

/** What has come is here. If nobody wants it any more, a sweep finds it. */
function unlessStoreIsAway(error: unknown): Standing {
  if (isStoreUnavailable(error)) return 'open';
  throw error;
}

function unexpected(error: unknown, { log, keepError }: ObjectServerOptions): Fault {
  const errorId = newId('err');
  log.error({ err: error, errorId }, 'An object could not be taken or given');
  keepError?.({ errorId, error });
  return new Fault('SV001', undefined, { fields: { errorId } });
}

const isReading = ({ method }: IncomingMessage) => method === 'GET' || method === 'HEAD';

function admitGet({ url = '' }: IncomingMessage, signingKey: Buffer, clock: Clock): SignedGet {
  assertPath(url);
  const get = readSignedGet(signingKey, url);
  assertAlive(get.terms, clock);
  return get;
}

/** Everything that can be said before the first byte of the body. */
function admitPut(request: IncomingMessage, signingKey: Buffer, clock: Clock): SignedPut {
  const { method = '', url = '', headers } = request;
  assertPath(url);
  if (method !== 'PUT') throw new Fault('MT001', 'An object is sent with a PUT, and read with a GET.');
  const put = readSignedPut(signingKey, url);
  const { contentType, size } = put.terms;
  assertAlive(put.terms, clock);
  if (headers['content-type'] !== contentType) {
    throw new Fault(
      'CA011',
      `The address was signed for Content-Type: ${contentType}. Send the PUT with exactly that.`,
    );
  }
  const length = headers['content-length'];
  const fault = length === undefined ? null : lengthFault(Number(length), size);
  if (fault) throw fault;
  return put;
}

/** As far as it is known before it has come. */
function announcedBytes({ headers }: IncomingMessage, { terms: { size } }: SignedPut): number {
  return Number(headers['content-length'] ?? ('exact' in size ? size.exact : 0));
}

function assertWanted(standing: Standing): void {
  if (standing === 'taken') throw alreadyThere();
  if (standing === 'gone') throw noLongerWanted();
}

/** Who discards forgets first and removes then, so that what came in between is seen by one of the two. */
async function removeUnwanted(objects: ServedObjects, key: string, standing: Standing): Promise<void> {
  if (standing !== 'gone') return;
  await objects.remove(key);
  throw noLongerWanted();
}

function assertPath(url: string): void {
  if (!url.startsWith(OBJECTS_PATH)) throw new Fault('NF001', 'There is nothing at this address.');
}

function assertAlive({ expiresAt }: { expiresAt: Date }, clock: Clock): void {
  if (expiresAt <= clock.now()) throw new Fault('CA011', 'The address has expired. Ask for a new one.');
}

const noLongerWanted = () =>
  new Fault('CA011', 'The upload of this address was discarded, or has ended. Call upload/request-url for a new one.');

const alreadyThere = () =>
  new Fault('CF001', 'The archive is here already. Call upload/complete, or reserve another upload.');
