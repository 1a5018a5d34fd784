import { Argument, type Command } from 'commander';
import { leadNames, type LeadName } from '../jobs/leadership.ts';
import { listLeaderships, moveLeadership, type LeadershipState } from '../jobs/leadership-store.ts';
import { hostIdOf } from '../store/host-id.ts';
import { openInstallation } from './open-installation.ts';
import { printResult, type OperatorContext } from './operator-context.ts';
import { OperatorError } from './operator-error.ts';
import { toSecond } from './utc-time.ts';

interface Options {
  json?: true;
}

export function addLeaders(admin: Command, context: OperatorContext): void {
  const leaders = admin
    .command('leaders')
    .summary('show which host keeps the instances and the databases')
    .description('Shows which host keeps the instances of applications, which the databases, and since when.')
    .option('--json', 'print one JSON document')
    .action((options: Options) => list(context, options));
  leaders
    .command('move')
    .summary('let this host keep them from now on')
    .description(
      'Lets the host that this command runs on keep the instances, or the databases, from now on: for when the host ' +
        'that kept them is gone for good. Instances are started anew here. The data of databases does not come along: ' +
        'have it here first. Whoever keeps them now stops within a second.',
    )
    .addArgument(new Argument('<what>', 'what is to be kept here').choices(leadNames))
    .option('--json', 'print one JSON document')
    .action((what: LeadName, options: Options) => move(context, what, options));
}

async function list(context: OperatorContext, { json }: Options): Promise<void> {
  await using installation = await openInstallation(context.loadConfig(), { mayCreate: false });
  const leaders = await listLeaderships(installation.store.db);
  printResult(context, {
    isJson: json === true,
    document: { leaders: leaders.map(documentOf) },
    lines: leaders.length === 0 ? ['No worker has run yet.'] : leaders.map(describe),
  });
}

async function move(context: OperatorContext, what: LeadName, { json }: Options): Promise<void> {
  const config = context.loadConfig();
  await using installation = await openInstallation(config, { mayCreate: false });
  const host = hostIdOf(config);
  if (!(await moveLeadership(installation.store.db, what, host))) {
    throw new OperatorError(`Nobody keeps the ${what} yet.`, 'Start the platform: the first worker keeps them.');
  }
  printResult(context, {
    isJson: json === true,
    document: { name: what, host },
    lines: [`${host} keeps the ${what} from now on, as soon as its worker runs.`],
  });
}

function documentOf({ name, host, worker, since, isHeld }: LeadershipState) {
  return { name, host, isLed: isHeld && worker !== null, since: since.toISOString() };
}

function describe({ name, host, since, isHeld }: LeadershipState): string {
  const at = toSecond(since);
  return `${name.padEnd(10)}  ${host ?? 'any host'}  ${isHeld ? `since ${at}` : 'away: no worker of it is connected'}`;
}
