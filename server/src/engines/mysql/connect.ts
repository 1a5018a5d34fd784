import { closeSync, openSync } from 'node:fs';
import { connect as connectSocket } from 'node:net';
import { userInfo } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import mysql, { type Connection, type ConnectionOptions } from 'mysql2/promise';
import { EngineRefused } from '../engine.ts';
import { boundBytes, type ByteBound } from '../explore/bound-bytes.ts';

/** In the server's home. */
export const SOCKET_NAME = 'mysql.sock';

/** A session with one server, through the socket in its home. */
export interface Session extends AsyncDisposable {
  connection: Connection;
  /** At once, whatever it is doing. */
  cut(): void;
}

export interface ConnectOptions {
  /** How long the server may take to let us in. */
  timeoutMs?: number;
  /** How values are read and written; see mysql2. */
  reading?: Pick<
    ConnectionOptions,
    | 'dateStrings'
    | 'supportBigNumbers'
    | 'bigNumberStrings'
    | 'decimalNumbers'
    | 'jsonStrings'
    | 'rowsAsArray'
    | 'typeCast'
    | 'charset'
    | 'disableEval'
  >;
  /** How much the server may say. */
  bound?: ByteBound;
}

const CONNECT_MS = 10_000;
const END_MS = 1000;

/** The server asks the kernel who is at the other end of the socket; there is nothing to answer. */
const BY_THE_KERNELS_WORD = { unix_socket: () => () => Buffer.alloc(0) };

/** The account of the platform in every server: its own user of the operating system, since that is what the kernel names. */
export function platformUser(): string {
  try {
    return userInfo().username;
  } catch (cause) {
    const what = `the user that the platform runs as (${process.getuid?.()}) has no name`;
    throw new EngineRefused(`MariaDB lets the platform in by its name, and ${what}: add it to /etc/passwd.`, { cause });
  }
}

/** As superuser, without a password. */
export function connectAsPlatform(home: string, options: ConnectOptions = {}): Promise<Session> {
  return connect(home, { user: platformUser(), authPlugins: BY_THE_KERNELS_WORD }, options);
}

/** As the account that owns the database. */
export function connectAsOwner(
  home: string,
  owner: { databaseName: string; user: string; password: string },
  options: ConnectOptions = {},
): Promise<Session> {
  const { databaseName: database, user, password } = owner;
  return connect(home, { user, password, database }, options);
}

async function connect(home: string, login: ConnectionOptions, options: ConnectOptions): Promise<Session> {
  // A path to a socket may have 107 bytes at most; by way of the opened folder it always is short.
  const folder = openSync(home, 'r');
  const socket = connectSocket(`/proc/self/fd/${folder}/${SOCKET_NAME}`);
  if (options.bound) boundBytes(socket, options.bound);
  const timer = setTimeout(
    () => socket.destroy(new Error('The server of this database does not answer.')),
    options.timeoutMs ?? CONNECT_MS,
  );
  try {
    const connection = await mysql.createConnection({ ...login, ...options.reading, stream: () => socket });
    // What ends a session between two questions is told by the next one.
    connection.on('error', () => {});
    return {
      connection,
      cut: () => socket.destroy(),
      async [Symbol.asyncDispose]() {
        const ended = connection.end().catch(() => {});
        await Promise.race([ended, delay(END_MS, undefined, { ref: false })]);
        socket.destroy();
      },
    };
  } catch (error) {
    socket.destroy();
    throw error;
  } finally {
    clearTimeout(timer);
    closeSync(folder);
  }
}
