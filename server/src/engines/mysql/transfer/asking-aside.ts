import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import { identify } from '../../../lib/process-identity.ts';
import { probeNameOf } from '../../host/abilities.ts';
import { SOCKET_NAME } from '../connect.ts';

/** What a client says to the server goes through `change` first, statement by statement. */
export interface AskingAside extends AsyncDisposable {
  /** Where the client is to be started, and the name of its socket there. */
  folder: string;
  socketName: string;
  /** Why the session was ended from here. */
  failure(): unknown;
}

/** Text with a byte in each character. */
type Change = (statement: string) => string | Promise<string>;

const NAME = 's';

/**
 * A socket for one client, which has the server of this home at its other end. It must not encrypt what it says. Nobody
 * else can reach it: its folder, below the given one, is ours, and goes as soon as the client has come.
 */
export async function openAskingAside(
  home: string,
  { runFolder, change }: { runFolder: string; change: Change },
): Promise<AskingAside> {
  await mkdir(runFolder, { recursive: true, mode: 0o700 });
  // Named as what a killed one leaves behind is named, so that it is swept away.
  const folder = await mkdtemp(join(runFolder, probeNameOf(identify(process.pid)!)));
  const server = createServer();
  let failure: unknown = null;
  const sockets: Socket[] = [];
  const shut = await listenIn(server, folder);
  server.once('connection', (client) => {
    shut().catch(() => {});
    const target = connectTo(home);
    sockets.push(client, target);
    const end = (error?: unknown) => {
      failure ??= error ?? null;
      for (const socket of sockets) socket.destroy();
    };
    client.on('error', () => end());
    target.on('error', () => end());
    target.pipe(client);
    carry(client, target, change).then(() => target.end(), end);
  });
  return {
    folder,
    socketName: NAME,
    failure: () => failure,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      await shut();
    },
  };
}

/** Gives how to take in nobody any more, and to remove the folder. */
async function listenIn(server: Server, folder: string): Promise<() => Promise<void>> {
  // By way of the opened folder the path is short; it stays open, since the socket is removed by the same path.
  const opened = openSync(folder, 'r');
  server.listen(`/proc/self/fd/${opened}/${NAME}`);
  await once(server, 'listening');
  let removed: Promise<void> | null = null;
  return () => {
    if (!removed) {
      server.close();
      closeSync(opened);
      removed = rm(folder, { recursive: true, force: true });
    }
    return removed;
  };
}

function connectTo(home: string): Socket {
  // A path to a socket may have 107 bytes at most; by way of the opened folder it always is short.
  const opened = openSync(home, 'r');
  const socket = connect(`/proc/self/fd/${opened}/${SOCKET_NAME}`);
  let isOpen = true;
  const done = () => {
    if (isOpen) closeSync(opened);
    isOpen = false;
  };
  socket.once('connect', done).once('close', done);
  return socket;
}

const HEADER_BYTES = 4;
const COM_QUERY = 3;

/** Packets of the protocol: three bytes of length, one of sequence, which is 0 in commands. */
async function carry(client: Socket, target: Socket, change: Change): Promise<void> {
  let held: Buffer = Buffer.alloc(0);
  for await (const chunk of client as AsyncIterable<Buffer>) {
    held = held.length > 0 ? Buffer.concat([held, chunk]) : chunk;
    while (held.length >= HEADER_BYTES && held.length >= HEADER_BYTES + held.readUIntLE(0, 3)) {
      const end = HEADER_BYTES + held.readUIntLE(0, 3);
      target.write(await changed(held.subarray(0, end), change));
      held = held.subarray(end);
    }
  }
}

async function changed(packet: Buffer, change: Change): Promise<Buffer> {
  const isStatement = packet[3] === 0 && packet[HEADER_BYTES] === COM_QUERY;
  if (!isStatement) return packet;
  const text = await change(packet.toString('latin1', HEADER_BYTES + 1));
  const body = Buffer.from(`\u0003${text}`, 'latin1');
  const header = Buffer.alloc(HEADER_BYTES);
  header.writeUIntLE(body.length, 0, 3);
  return Buffer.concat([header, body]);
}
