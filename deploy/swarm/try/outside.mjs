import { connect, createServer } from 'node:net';
import { startS3Server } from '../../../server/src/objects/s3/testing/start-s3-server.ts';
import { startPostgresql } from './postgresql.mjs';

/** What the operator has already: a PostgreSQL and an object store, at an address that all machines reach. */
export async function startOutside(address, folder) {
  await using stack = new AsyncDisposableStack();
  const store = stack.use(await startPostgresql(address, folder));
  const s3 = stack.use(await startS3Server());
  const s3Port = await forward(address, { host: '127.0.0.1', port: Number(s3.settings.endpoint.port) });
  const { accessKeyId, secretAccessKey } = s3.settings.credentials;
  const all = stack.move();
  return {
    databaseUrl: store.url,
    s3Credentials: `aws_access_key_id = ${accessKeyId}\naws_secret_access_key = ${secretAccessKey}\n`,
    s3Settings: { LILAC_S3_BUCKET: s3.settings.bucket, LILAC_S3_ENDPOINT: `http://${address}:${s3Port}` },
    [Symbol.asyncDispose]: () => all.disposeAsync(),
  };
}

/** It listens on this machine only, and others are to reach it. */
async function forward(host, target) {
  const server = createServer((client) => {
    const inner = connect(target);
    for (const socket of [client, inner]) {
      socket.on('error', () => {});
      socket.on('close', () => {
        client.destroy();
        inner.destroy();
      });
    }
    client.pipe(inner).pipe(client);
  });
  await new Promise((resolve) => {
    server.listen(0, host, resolve);
  });
  server.unref();
  return server.address().port;
}
