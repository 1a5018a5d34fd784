import type { Command } from 'commander';
import { databaseTypes, type DatabaseType } from '@lilac/contract/states';
import { pathsOf, type Config } from '../config.ts';
import type { ServerRole } from '../db/schema.ts';
import { createStableAddresses } from '../engines/address/create-stable-addresses.ts';
import { createSourceLimits } from '../engines/address/source-limits.ts';
import { createServerHost } from '../engines/host/create-server-host.ts';
import type { ServerHost } from '../engines/host/server-host.ts';
import { createLog } from '../lib/log.ts';
import { plainLine } from '../lib/plain-text.ts';
import { isHeld } from './is-held.ts';
import { listKnownServers, type KnownServer } from './known-servers-store.ts';
import { printResult, type OperatorContext } from './operator-context.ts';
import { OperatorError } from './operator-error.ts';
import { peekStore, type Peek } from './peek-store.ts';
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

/** Null: the store does not run, or has no such server. */
interface NamedLine extends ServerLine {
  role: ServerRole | null;
  name: string | null;
  organisation: string | null;
}

/** Databases outlive the platform; this is for when the machine is to be quiet. */
export function addDatabases(admin: Command, context: OperatorContext): void {
  const databases = admin.command('databases').description('the servers of databases on this machine');
  databases
    .command('list')
    .summary('show which servers run')
    .description(
      'Shows the servers of databases that have files on this machine, whether the platform runs or not. Names are ' +
        'known while its store runs.',
    )
    .option('--json', 'print one JSON document')
    .action((options: Options) => list(context, options));
  databases
    .command('stop')
    .summary('stop every database on this machine')
    .description(
      'Databases go on running when the platform is stopped. This stops them too; the next start of the platform ' +
        'starts them again. Their volumes are unmounted, and the rules for their ports removed. Stop the platform first.',
    )
    .option('--json', 'print one JSON document')
    .action((options: Options) => stop(context, options));
}

async function list(context: OperatorContext, { json }: Options): Promise<void> {
  const config = context.loadConfig();
  const servers = withNames(
    await withHost(config, async (host) => readServers(host)),
    await peekStore(config, listKnownServers),
  );
  printResult(context, {
    isJson: json === true,
    document: servers,
    lines: servers.length === 0 ? ['There are no databases on this machine.'] : tableOf(servers),
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
  const names = await peekStore(config, listKnownServers);
  const { stopped, unmounted } = await withHost(config, async (host) => {
    const servers = readServers(host);
    const running = servers.filter(({ isRunning }) => isRunning);
    for (const { serverId, type } of running) await host.end(serverId, endings[type]);
    // Also of those that ended by themselves.
    const putAway: string[] = [];
    for (const { serverId } of servers) if (await host.putAway(serverId)) putAway.push(serverId);
    return { stopped: running.map((server) => ({ ...server, isRunning: false })), unmounted: putAway };
  });
  const wereRulesRemoved = await forgetAddresses(config);
  printResult(context, {
    isJson: json === true,
    document: stopped,
    lines: [
      ...(stopped.length === 0 ? ['No database is running on this machine.'] : tableOf(withNames(stopped, names))),
      ...cleaningLines({ unmounted: unmounted.length, wereRulesRemoved }),
    ],
  });
}

/** What the kernel, or a process, does for servers that do not run any more; the next start sets it up again. */
async function forgetAddresses(config: Config): Promise<boolean> {
  const addresses = await createStableAddresses({ config, log: createLog({ level: 'silent', role: 'operator' }) });
  const limits = createSourceLimits({ config });
  const wereAddresses = (await addresses.list()).size > 0;
  await addresses.hold(new Map());
  if ((await limits.obstacle()) !== null) return wereAddresses;
  const wereLimits = await limits.isHeld();
  if (wereLimits) await limits.hold([], []);
  return wereAddresses || wereLimits;
}

/** What else was done, for people. */
export function cleaningLines({
  unmounted,
  wereRulesRemoved,
}: {
  unmounted: number;
  wereRulesRemoved: boolean;
}): string[] {
  return [
    ...(unmounted > 0 ? [unmounted === 1 ? 'One volume was unmounted.' : `${unmounted} volumes were unmounted.`] : []),
    ...(wereRulesRemoved ? ['The rules for the ports of databases were removed from the network.'] : []),
  ];
}

/** How each engine is asked to end without waiting for its clients, before it is made to. */
const endings: Record<DatabaseType, { signal: NodeJS.Signals; waitMs: number }[]> = {
  postgresql: [{ signal: 'SIGINT', waitMs: 30_000 }],
  mysql: [{ signal: 'SIGTERM', waitMs: 60_000 }],
};

/** Those of one database beside one another, the primary first. */
export function withNames(servers: readonly ServerLine[], names: Peek<KnownServer[]>): NamedLine[] {
  const known = new Map('seen' in names ? names.seen.map((each) => [each.serverId, each]) : []);
  return servers
    .map((server) => {
      const { role = null, name = null, organisation = null } = known.get(server.serverId) ?? {};
      return { ...server, role, name, organisation };
    })
    .toSorted(
      (one, other) =>
        compare(one.organisation, other.organisation) ||
        compare(one.name, other.name) ||
        compare(one.databaseId, other.databaseId) ||
        compare(one.role, other.role),
    );
}

const compare = (one: string | null, other: string | null): number => (one ?? '').localeCompare(other ?? '');

const HEAD = ['ORGANISATION', 'NAME', 'DATABASE', 'SERVER', 'ROLE', 'TYPE', 'STATE'];

export function tableOf(servers: readonly NamedLine[]): string[] {
  const rows = servers.map(({ organisation, name, databaseId, serverId, role, type, isRunning }) => [
    shown(organisation),
    shown(name),
    databaseId,
    serverId,
    shown(role),
    type,
    isRunning ? 'running' : 'stopped',
  ]);
  const widths = HEAD.map((head, column) => Math.max(head.length, ...rows.map((row) => row[column]!.length)));
  return [HEAD, ...rows].map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column]!))
      .join('  ')
      .trimEnd(),
  );
}

/** Names are what somebody typed. */
const shown = (text: string | null): string => (text === null ? '-' : plainLine(text));

/** By their records: to look at them mounts nothing. */
const readServers = (host: ServerHost): ServerLine[] =>
  databaseTypes.flatMap((type) =>
    host.list(type).map((serverId) => ({
      serverId,
      databaseId: host.databaseOf(serverId) ?? '?',
      type,
      isRunning: host.isRunning(serverId),
    })),
  );

async function withHost<T>(config: Config, work: (host: ServerHost) => Promise<T>): Promise<T> {
  requireHome(config.home, { mayCreate: false });
  const log = createLog({ level: 'silent', role: 'operator' });
  const host = createServerHost({ config, log });
  try {
    return await work(host);
  } finally {
    await host.close();
  }
}
