import { closeSync, openSync } from 'node:fs';
import { Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { EngineRefused } from '../engine.ts';
import { boundBytes, type ByteBound } from '../explore/bound-bytes.ts';
import { EXPLORER_ROLE, PLATFORM_ROLE, READER_ROLE } from './host-based-access.ts';
import { readMainProcessFile } from './main-process-file.ts';
import { mendFlags, isShut } from './mend-flags.ts';
import {
  OWNER_SETTINGS,
  PLATFORM_SETTINGS,
  READER_SETTINGS,
  sessionOptions,
  type SessionSettings,
} from './session-settings.ts';

/** A session with one server, through the socket in its home. */
export interface Session extends AsyncDisposable {
  client: pg.Client;
  /** At once, whatever it is doing. */
  cut(): void;
}

export interface ConnectOptions {
  /** How long the server may take to let us in. */
  timeoutMs?: number;
  /** Settings of the session besides ours. */
  settings?: SessionSettings;
  /** How much the server may say. */
  bound?: ByteBound;
}

const CONNECT_MS = 10_000;
const END_MS = 1000;

/** As superuser, by the kernel's word: there is no password. */
export function connectAsPlatform(home: string, database = 'postgres', options: ConnectOptions = {}): Promise<Session> {
  const settings = { ...PLATFORM_SETTINGS, ...options.settings };
  const login = { user: PLATFORM_ROLE, database, application_name: 'lilac' };
  return connectSomehow(home, login, { ...options, settings });
}

/** As one that may read everything and is no superuser: see `ensureReadingRole`. */
export function connectAsReader(home: string, database: string, options: ConnectOptions = {}): Promise<Session> {
  const settings = { ...READER_SETTINGS, ...options.settings };
  return connectSomehow(home, { user: READER_ROLE, database, application_name: 'lilac' }, { ...options, settings });
}

/** Where somebody reads whose statements are not ours: what is set for the database counts. */
export function connectAsExplorer(home: string, database: string, options: ConnectOptions = {}): Promise<Session> {
  const settings = { ...OWNER_SETTINGS, default_transaction_read_only: 'on', ...options.settings };
  return connectSomehow(home, { user: EXPLORER_ROLE, database, application_name: 'lilac' }, { ...options, settings });
}

/** As the account that owns the database. */
export function connectAsOwner(
  home: string,
  owner: { databaseName: string; user: string; password: string },
  options: ConnectOptions = {},
): Promise<Session> {
  const { databaseName: database, user, password } = owner;
  const settings = { ...OWNER_SETTINGS, ...options.settings };
  return connectSomehow(home, { user, password, database, application_name: 'lilac' }, { ...options, settings });
}

/** Also where the owner has shut the database: it is opened then. */
async function connectSomehow(home: string, login: pg.ClientConfig, options: ConnectOptions): Promise<Session> {
  try {
    return await connect(home, login, options);
  } catch (error) {
    if (!isShut(error)) throw error;
    await using session = await connectAsPlatform(home);
    await mendFlags(session.client);
    // What fails while that session is being ended would be nobody's.
    return await connect(home, login, options);
  }
}

async function connect(home: string, login: pg.ClientConfig, options: ConnectOptions): Promise<Session> {
  const port = readMainProcessFile(home)?.port;
  if (!port) throw new EngineRefused('The server of this database does not run.');
  const socket = new Socket();
  const settings = sessionOptions(home, options.settings ?? {});
  // A path to a socket may have 107 bytes at most; by way of the opened folder it always is short.
  const folder = openSync(home, 'r');
  const client = new pg.Client({
    ...login,
    host: `/proc/self/fd/${folder}`,
    port,
    connectionTimeoutMillis: options.timeoutMs ?? CONNECT_MS,
    stream: () => socket,
    options: settings,
  });
  // What ends a session between two questions is told by the next one.
  client.on('error', () => {});
  if (options.bound) boundBytes(socket, options.bound);
  const greeted = boundGreeting(socket);
  try {
    await client.connect();
  } catch (error) {
    socket.destroy();
    throw error;
  } finally {
    greeted();
    closeSync(folder);
  }
  return {
    client,
    cut: () => socket.destroy(),
    async [Symbol.asyncDispose]() {
      const ended = client.end().catch(() => {});
      await Promise.race([ended, delay(END_MS, undefined, { ref: false })]);
      socket.destroy();
    },
  };
}

/** A few hundred bytes, unless the owner has set what is told to every client. */
const LONGEST_GREETING_BYTES = 1024 ** 2;
const LONG_GREETING =
  'Something that is told to every client of this database is too long: reset what was set for it or for its account, ' +
  'which is most likely search_path.';

/** Until what it gives is called: clients hold a message until it is whole, and do not expect one that no text can hold. */
function boundGreeting(socket: Socket): () => void {
  let bytes = 0;
  const count = (piece: Buffer) => {
    bytes += piece.length;
    if (bytes > LONGEST_GREETING_BYTES) socket.destroy(new EngineRefused(LONG_GREETING));
  };
  socket.on('data', count);
  return () => void socket.off('data', count);
}
