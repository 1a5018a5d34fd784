import { spawn } from 'node:child_process';
import { accessSync, constants, realpathSync } from 'node:fs';
import { constants as system } from 'node:os';
import { basename, delimiter, join } from 'node:path';
import { EndedWith } from '../frame/ended-with.ts';
import { GaveUp } from '../frame/gave-up.ts';
import type { CommandRun } from '../frame/own-command.ts';
import type { Environment } from '../frame/settings.ts';
import { databaseClient, type DatabaseClient } from './database-client.ts';

/** Hands over to psql or mariadb, and ends as it does. */
export async function connectDatabase(run: CommandRun): Promise<null> {
  const { client: lilac, environment, organisationId: targetOrganisationId } = run;
  const databaseId = run.body['databaseId'] as string;
  const body = { targetOrganisationId, databaseId };
  const database = await lilac.call('databases.get', { body });
  if (!database.public_ip_enabled) throw new GaveUp(unreachable(databaseId));
  if (database.status === 'provisioning') throw new GaveUp(`It is still being made: lilac db status ${databaseId}`);
  const { connectionString } = await lilac.call('databases.connection-string', { body });
  const client = databaseClient(connectionString);
  const program = findProgram(client, environment);
  const exitCode = await runClient(program, { ...environment, ...client.environment });
  if (exitCode !== 0) throw new EndedWith(exitCode);
  return null;
}

const unreachable = (databaseId: string) =>
  'This database has no public address: only applications that are connected to it reach it.\n' +
  `Ask it with: lilac db query ${databaseId} "select 1"`;

function findProgram({ programs, install }: DatabaseClient, { PATH = '' }: Environment) {
  for (const { name, args } of programs) {
    for (const folder of PATH.split(delimiter).filter(Boolean)) {
      const file = join(folder, name);
      // What is called mysql may be the client of MariaDB, which has other words for the same.
      if (isProgram(file)) return { file, args: programs.find((each) => each.name === ownName(file))?.args ?? args };
    }
  }
  const names = programs.map(({ name }) => name).join(' or ');
  throw new GaveUp(`There is no ${names} on this machine. Install it: ${install}.\nOr ask with "lilac db query".`);
}

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

const ownName = (file: string) => basename(realpathSync(file));

/** In the terminal Ctrl-C is the client's: it ends a query, not the session. */
async function runClient(
  { file, args }: { file: string; args: readonly string[] },
  environment: Environment,
): Promise<number> {
  const others = process.listeners('SIGINT');
  process.removeAllListeners('SIGINT');
  process.on('SIGINT', leaveToClient);
  try {
    const child = spawn(file, args, { stdio: 'inherit', env: environment });
    return await new Promise((resolve, reject) => {
      child.once('error', (error) => reject(new GaveUp(`${file} cannot be started: ${error.message}`)));
      child.once('exit', (code, signal) => resolve(code ?? 128 + system.signals[signal!]));
    });
  } finally {
    process.off('SIGINT', leaveToClient);
    for (const other of others) process.on('SIGINT', other);
  }
}

const leaveToClient = () => {};
