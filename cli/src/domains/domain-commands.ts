import { standingOf } from '@lilac/contract/domain-steps';
import { readableHostname } from '@lilac/contract/readable-hostname';
import { followDomain, isThere } from './follow-domain.ts';
import { agreeToLose, type Address, type LossWords } from './agree-to-lose.ts';
import { yesFlag } from '../frame/ask-for-name.ts';
import { type Flag, switchFlag } from '../frame/flag.ts';
import { GaveUp } from '../frame/gave-up.ts';
import type { CommandRun, OwnCommand } from '../frame/own-command.ts';
import { resolveEnvironment } from '../link/resolve-target.ts';
import { plainText } from '../terminal/printable.ts';
import { renderDomain, renderRecords, type DomainState } from './render-domain.ts';
import { UsageError } from '../frame/usage-error.ts';

const DEFAULT_TIMEOUT_SECONDS = 900;

const usual = { part: 'body', isNullable: false, choices: [] } as const;

const target: Flag = {
  ...usual,
  key: 'target',
  name: 'app',
  kind: 'text',
  isRequired: false,
  isPositional: true,
  description:
    'an application (its id, name or subdomain), whose production environment is then meant, or the id of an ' +
    'environment; left out: the linked one',
};

/** Nothing is taken away because of where somebody stands. */
const namedTarget: Flag = { ...target, isRequired: true, description: target.description.replace(/; left out.*/, '') };

const timeout: Flag = {
  ...usual,
  key: 'timeout',
  name: 'timeout',
  kind: 'number',
  isRequired: false,
  description: `how many seconds to wait at most; default ${DEFAULT_TIMEOUT_SECONDS}`,
};

const timeoutOfWait: Flag = { ...timeout, description: `with --wait: ${timeout.description}` };

const waitsByDefault = switchFlag('wait', 'return at once, not when it is served or has failed', { default: true });
const waitingUnasked = [target, waitsByDefault, timeout];
const waitingWhenAsked = [target, switchFlag('wait', 'until it is served or has failed'), timeoutOfWait];

const ASKS = 'Asks first, unless --yes is given; where nobody can be asked, --yes is needed.';

/** How far a domain is, step by step, and its records so that they can be copied. */
export const domainCommands: readonly OwnCommand[] = [
  {
    words: ['domains', 'add'],
    summary: 'Give an application a domain of your own, and see it through',
    description:
      'Shows the DNS records to create, then waits: for the records, for the certificate. Ctrl-C ends only the waiting; ' +
      'the platform goes on by itself.',
    endpoint: 'applications.add-domain',
    arguments: ['domain'],
    flags: waitingUnasked,
    takesEnvironment: true,
    run: (run) =>
      change(run, { waits: true, call: (body) => run.client.call('applications.add-domain', { body: body as never }) }),
  },
  {
    words: ['domains', 'check'],
    summary: 'Look how far a domain is: its DNS records and its certificate',
    description: 'The records are looked up anew, though not more often than every few seconds.',
    endpoint: 'applications.check-domain',
    arguments: [],
    flags: waitingWhenAsked,
    takesEnvironment: true,
    run: (run) => change(run, { waits: false, call: (body) => check(run, body) }),
  },
  {
    words: ['domains', 'update'],
    summary: 'Replace the domain by another one, and see it through',
    description: `The old one stops at once. ${ASKS} Then as with "lilac domains add".`,
    endpoint: 'applications.update-domain',
    arguments: ['newDomain'],
    flags: [namedTarget, waitsByDefault, timeout, yesFlag],
    takesEnvironment: true,
    run: update,
  },
  {
    words: ['domains', 'retry'],
    summary: 'Try again at once what failed: to find the records, or to get the certificate',
    description: 'The platform tries again by itself too, ever more rarely.',
    endpoint: 'applications.retry-domain',
    arguments: [],
    flags: waitingWhenAsked,
    takesEnvironment: true,
    run: (run) => change(run, { waits: false, call: (body) => run.client.call('applications.retry-domain', { body }) }),
  },
  {
    words: ['domains', 'remove'],
    summary: 'Take the domain away; it stops at once',
    description:
      `${ASKS} The generated address stays. With --no-revert-to-auto-subdomain it stops too, until there is a domain ` +
      'again or this command is given without it.',
    endpoint: 'applications.remove-domain',
    arguments: ['revertToAutoSubdomain'],
    flags: [namedTarget, yesFlag],
    takesEnvironment: true,
    run: remove,
  },
];

/** As it is named, or else the folder's own. */
async function addressOf(run: CommandRun): Promise<Address> {
  const named = run.body.target as string | undefined;
  const organisation = run.organisationId === undefined ? {} : { targetOrganisationId: run.organisationId };
  const isPlain = run.flags.environment === undefined;
  if (isPlain && named?.startsWith('env_')) return { environmentId: named, ...organisation };
  if (isPlain && named?.startsWith('app_')) return { applicationId: named, ...organisation };
  const { environmentId } = await resolveEnvironment(run, run.client, named);
  return { environmentId, ...organisation };
}

async function update(run: CommandRun): Promise<null> {
  const { newDomain } = run.body;
  await agreeToLose(run, await addressOf(run), (domain) =>
    domain === null
      ? null
      : {
          warning: `${domain} stops at once, and ${plainText(String(newDomain))} takes its place.`,
          question: `Replace ${domain}?`,
        },
  );
  const call = (body: Address) => run.client.call('applications.update-domain', { body: body as never });
  return change(run, { waits: true, call });
}

const check = (run: CommandRun, body: Address) => run.client.call('applications.check-domain', { body });

interface Change {
  /** Whether it waits unless told otherwise. */
  waits: boolean;
  call: (body: Address & Record<string, unknown>) => Promise<DomainState>;
}

async function change(run: CommandRun, { waits, call }: Change): Promise<null> {
  const { wait = waits, timeout: timeoutSeconds = DEFAULT_TIMEOUT_SECONDS, target: _, yes: _yes, ...rest } = run.body;
  assertTimeout(timeoutSeconds);
  const address = await addressOf(run);
  const id = 'environmentId' in address ? address.environmentId : address.applicationId;
  const state = await call({ ...rest, ...address });
  if (wait !== true || state.domain === null) {
    await show(run, state);
    return null;
  }
  if (!run.isJson) await run.print(`${beginning(state, run)}\n\n`);
  if (run.isTerminal && !state.dns_verified) {
    run.complain('Waiting; Ctrl-C ends only that, and the platform goes on by itself.\n');
  }
  const last = await followDomain(run, {
    first: state,
    check: () => check(run, address),
    timeoutSeconds,
    checkCommand: `lilac domains check ${id}`,
  });
  if (run.isJson) await show(run, last);
  else if (isThere(last)) await run.print(`\n${ending(last)}\n`);
  if (!isThere(last)) throw new GaveUp(whatToDo(last, id));
  return null;
}

function assertTimeout(seconds: unknown): asserts seconds is number {
  if (typeof seconds === 'number' && seconds >= 0) return;
  throw new UsageError(`--timeout is a number of seconds, not ${String(seconds)}.`);
}

async function show(run: CommandRun, state: DomainState): Promise<void> {
  await run.print(`${run.isJson ? JSON.stringify(state, null, 2) : renderDomain(state, run.paper)}\n`);
}

/** The records first: while they are looked for, somebody creates them. */
function beginning(state: DomainState, { paper }: CommandRun): string {
  const domain = plainText(readableHostname(state.domain ?? ''));
  return state.records.length === 0 || state.dns_verified ? domain : `${domain}\n\n${renderRecords(state, paper)}`;
}

/** Below a wildcard every name is served, and none of them is known. */
function ending(state: DomainState): string {
  const { domain, url } = state;
  const name = plainText(domain ?? '');
  if (standingOf(state) === 'proxied') {
    return `${name} leads here. This platform serves no https itself: a proxy in front of it has to, with a certificate for this name.`;
  }
  if (name.startsWith('*.')) return `Every name below ${name.slice(2)} is served.`;
  return `${plainText(url ?? `https://${name}`)} is served.`;
}

function whatToDo(state: DomainState, id: string): string {
  if (standingOf(state) === 'failed') {
    return `There is no certificate. The platform tries again by itself; to do so at once: lilac domains retry ${id}`;
  }
  return 'It cannot be served yet: the sentence above says what to do.';
}

async function remove(run: CommandRun): Promise<null> {
  const { target: _, yes: _yes, ...rest } = run.body;
  const address = await addressOf(run);
  const keepsGenerated = run.body.revertToAutoSubdomain !== false;
  const domain = await agreeToLose(run, address, (name) => lossOf(name, keepsGenerated));
  const state = await run.client.call('applications.remove-domain', { body: { ...rest, ...address } });
  if (run.isJson) await show(run, state);
  else await run.print(`${removed(domain, keepsGenerated)}\n`);
  return null;
}

/** Null where nothing is lost. */
function lossOf(domain: string | null, keepsGenerated: boolean): LossWords | null {
  if (keepsGenerated)
    return domain === null ? null : { warning: `${domain} stops at once.`, question: takeAway(domain) };
  const nowhere = 'the environment is at none until it has a domain again.';
  if (domain === null) {
    return {
      warning: `The generated address stops at once: ${nowhere}`,
      question: 'Switch the generated address off?',
    };
  }
  return {
    warning: `${domain} stops at once, and so does the generated address: ${nowhere}`,
    question: takeAway(domain),
  };
}

const takeAway = (domain: string): string => `Take ${domain} away?`;

/** Where nobody was asked, nobody has looked whether there was one. */
function removed(domain: string | null, hasGeneratedAddress: boolean): string {
  const gone = domain === null ? 'It has no domain of its own now' : `${domain} is gone`;
  return hasGeneratedAddress
    ? `${gone}. The environment is at its generated address.`
    : `${gone}, and the generated address is switched off: the environment is at none until it has a domain again.`;
}
