import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { startS3Server } from '../../server/src/objects/s3/testing/start-s3-server.ts';
import type { TestNetwork } from '../../server/src/testing/docker/test-network.ts';

export interface Bucket extends AsyncDisposable {
  /** Where hosts and machines find it. */
  environment: Record<string, string>;
}

/** A bucket at this machine's address in the network, so that its machines reach it too. */
export async function openBucketFor(network: TestNetwork): Promise<Bucket> {
  const s3 = await startS3Server();
  const { hostname, port } = s3.settings.endpoint!;
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    const onwards = connect(Number(port), hostname);
    for (const each of [socket, onwards]) {
      sockets.add(each);
      each.on('error', () => {}).once('close', () => sockets.delete(each));
    }
    socket.once('close', () => onwards.destroy()).pipe(onwards);
    onwards.once('close', () => socket.destroy()).pipe(socket);
  }).listen(0, network.addressOf(1));
  await once(server, 'listening');
  const address = `http://${network.addressOf(1)}:${(server.address() as AddressInfo).port}`;
  return {
    environment: { ...s3.environment, LILAC_S3_ENDPOINT: address },
    async [Symbol.asyncDispose]() {
      server.close();
      for (const socket of sockets) socket.destroy();
      await s3[Symbol.asyncDispose]();
    },
  };
}
