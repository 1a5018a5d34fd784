import type { Command } from 'commander';
import { databaseTypes, type DatabaseType } from '@lilac/contract/states';
import { pathsOf, type Config } from '../config.ts';
import { createServerHost } from '../engines/host/create-server-host.ts';
import type { ServerHost } from '../engines/host/server-host.ts';
import { systemClock } from '../lib/clock.ts';
import { createLog } from '../lib/log.ts';
import { isHeld } from './is-held.ts';
import { printResult, type OperatorContext } from './operator-context.ts';
import { OperatorError } from './operator-error.ts';
import { requireHome } from './require-home.ts';

interface Options {
  json?: true;
}

interface ServerLine {
  serverId: string;
  databaseId: string;
  type: DatabaseType;
  isRunning: boolean;
}

/** Databases outlive the platform; this is for when the machine is to be quiet. */
export function addDatabases(admin: Command, context: OperatorContext): void {
  const databases = admin.command('databases').description('the servers of databases on this machine');
  databases
    .command('list')
    .summary('show which servers run')
    .description('Shows the servers of databases that have files on this machine, whether the platform runs or not.')
    .option('--json', 'print one JSON document')
    .action((options: Options) => list(context, options));
  databases
    .command('stop')
    .summary('stop every database on this machine')
    .description(
      'Databases go on running when the platform is stopped. This stops them too; the next start of the platform ' +
        'starts them again. Stop the platform first.',
    )
    .option('--json', 'print one JSON document')
    .action((options: Options) => stop(context, options));
}

async function list(context: OperatorContext, { json }: Options): Promise<void> {
  const servers = await withHost(context.loadConfig(), readServers);
  printResult(context, {
    isJson: json === true,
    document: servers,
    lines: servers.length === 0 ? ['There are no databases on this machine.'] : servers.map(describeServer),
  });
}

async function stop(context: OperatorContext, { json }: Options): Promise<void> {
  const config = context.loadConfig();
  if (isHeld(pathsOf(config).supervisorLock)) {
    throw new OperatorError(
      'The platform runs, and would start them again.',
      'Stop it first (Ctrl-C where it runs, or systemctl stop lilac), then try again.',
    );
  }
  const stopped = await withHost(config, async (host) => {
    const running = (await readServers(host)).filter(({ isRunning }) => isRunning);
    for (const { serverId, type } of running) await host.end(serverId, endings[type]);
    return running.map((server) => ({ ...server, isRunning: false }));
  });
  printResult(context, {
    isJson: json === true,
    document: stopped,
    lines: stopped.length === 0 ? ['No database is running on this machine.'] : stopped.map(describeServer),
  });
}

/** How each engine is asked to end without waiting for its clients, before it is made to. */
const endings: Record<DatabaseType, { signal: NodeJS.Signals; waitMs: number }[]> = {
  postgresql: [{ signal: 'SIGINT', waitMs: 30_000 }],
  mysql: [{ signal: 'SIGTERM', waitMs: 60_000 }],
};

const describeServer = ({ databaseId, serverId, type, isRunning }: ServerLine): string =>
  `${databaseId}  ${serverId}  ${type.padEnd(10)}  ${isRunning ? 'running' : 'stopped'}`;

async function readServers(host: ServerHost): Promise<ServerLine[]> {
  const lines: ServerLine[] = [];
  for (const type of databaseTypes) {
    for (const serverId of host.list(type)) {
      const databaseId = (await host.find(serverId))?.databaseId ?? '?';
      lines.push({ serverId, databaseId, type, isRunning: host.isRunning(serverId) });
    }
  }
  return lines;
}

async function withHost<T>(config: Config, work: (host: ServerHost) => Promise<T>): Promise<T> {
  requireHome(config.home, { mayCreate: false });
  const log = createLog({ level: 'silent', role: 'operator' });
  const host = createServerHost({ config, log, clock: systemClock });
  try {
    return await work(host);
  } finally {
    await host.close();
  }
}
