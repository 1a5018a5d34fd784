import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, closeSync, mkdirSync, openSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { findFreePort, until } from '../../../e2e/platform.ts';
import { findPostgres } from '../../../server/src/store/binaries.ts';
import { initialiseData } from '../../../server/src/store/initialise-data.ts';
import { dataArgument, runsAsRoot, STORE_UID, userOptions } from '../../../server/src/store/store-user.ts';

const PASSWORD = 'theirs';

/**
 * A PostgreSQL as an operator has one: it listens at an address itself, so that it notices by itself when the machine
 * of a client is gone. With anything in between it would take that for a client that says nothing.
 */
export async function startPostgresql(address, folder) {
  const directory = join(folder, 'store');
  const data = join(directory, 'data');
  mkdirSync(directory, { mode: 0o700 });
  const binaries = findPostgres(runsAsRoot);
  await initialiseData({ directory, data, password: PASSWORD, binaries });
  appendFileSync(join(data, 'pg_hba.conf'), 'host all all samenet scram-sha-256\n');
  const port = await findFreePort();
  const settings = { listen_addresses: address, port, unix_socket_directories: '', max_connections: 200 };
  const words = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const log = openSync(join(folder, 'store.log'), 'a');
  const stdio = ['ignore', log, log];
  const options = { cwd: data, env: {}, stdio, ...userOptions(STORE_UID) };
  const child = spawn(binaries.postgres, ['-D', dataArgument(data), ...words], options);
  closeSync(log);
  const url = `postgresql://lilac:${PASSWORD}@${address}:${port}/postgres`;
  await until('PostgreSQL answers', () => answers(url));
  return {
    url,
    async [Symbol.asyncDispose]() {
      const ended = once(child, 'exit');
      child.kill('SIGINT');
      await ended;
    },
  };
}

async function answers(connectionString) {
  const client = new pg.Client({ connectionString });
  client.on('error', () => {});
  try {
    await client.connect();
    return true;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => {});
  }
}
