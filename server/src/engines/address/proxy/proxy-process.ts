import { BlockList, connect, createServer, isIPv6, type Socket } from 'node:net';
import { identify } from '../../../lib/process-identity.ts';
import { readOrder, writeState } from './proxy-files.ts';

/**
 * A process of its own: passes connections on from one port to another of this machine, byte for byte. It outlives
 * the platform that started it, and is told by files and SIGHUP where to and for whom.
 */
const folder = process.argv[2] ?? '';
const port = Number(process.argv[3]);
const open = new Set<Socket>();
let target = 0;
let allowed = new BlockList();

function obey(): void {
  const order = readOrder(folder, port);
  const me = identify(process.pid);
  if (!order || !me) process.exit(1);
  target = order.target;
  allowed = new BlockList();
  for (const network of [...order.networks, '127.0.0.0/8', '::1/128']) {
    const [address = '', bits] = network.split('/');
    allowed.addSubnet(address, Number(bits), isIPv6(address) ? 'ipv6' : 'ipv4');
  }
  for (const client of open) if (!isAllowed(client)) client.destroy();
  writeState(folder, port, { process: me, number: order.number });
}

function isAllowed({ remoteAddress = '' }: Socket): boolean {
  const address = remoteAddress.replace(/^::ffff:/, '');
  return address !== '' && allowed.check(address, isIPv6(address) ? 'ipv6' : 'ipv4');
}

const options = { allowHalfOpen: true, noDelay: true, keepAlive: true };

const server = createServer(options, (client) => {
  client.on('error', () => client.destroy());
  if (!isAllowed(client)) {
    client.destroy();
    return;
  }
  open.add(client);
  const behind = connect({ ...options, host: '127.0.0.1', port: target });
  behind.on('error', () => behind.destroy());
  client.once('close', () => open.delete(client));
  joinEnds(client, behind);
  joinEnds(behind, client);
});

/** The last word of one is passed on as such; only one that breaks off takes the other with it. */
function joinEnds(from: Socket, to: Socket): void {
  from.pipe(to);
  from.once('close', () => from.readableEnded || to.destroy());
}

server.once('error', ({ code }: NodeJS.ErrnoException) => {
  if (code !== 'EAFNOSUPPORT') process.exit(1);
  server.listen({ host: '0.0.0.0', port });
});
server.once('listening', () => {
  process.on('SIGHUP', obey);
  obey();
});
server.listen({ host: '::', port });
