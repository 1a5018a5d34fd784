import { OWN_ORGANISATION } from '@lilac/contract/scopes';
import { severities } from '@lilac/contract/states';
import { type Flag, switchFlag } from '../frame/flag.ts';
import type { CommandRun, OwnCommand } from '../frame/own-command.ts';
import { readTime } from '../frame/read-time.ts';
import { parseLine, renderLine, type LogLine } from './render-log.ts';
import { UsageError } from '../frame/usage-error.ts';

const DEFAULT_LINES = 100;
const MAX_FOLLOWED_LINES = 1000;
const MAX_LINES = 1_000_000;
/** What one search answers at most. */
const PAGE_LINES = 10_000;
/** How much of "everything since" is read before somebody says that they want so much. */
const MAX_UNASKED_LINES = 100_000;

const usual = { part: 'body', isRequired: false, isNullable: false, choices: [] } as const;

const flags: readonly Flag[] = [
  switchFlag('follow', 'go on with what comes, until Ctrl-C', { short: 'f' }),
  {
    ...usual,
    key: 'severity',
    name: 'severity',
    kind: 'list',
    description: `any of ${severities.join(', ')}; several with commas`,
  },
  { ...usual, key: 'text', name: 'text', kind: 'text', description: 'a part of the message, in upper or lower case' },
  { ...usual, key: 'text', name: 'search', kind: 'text', description: 'the same as --text' },
  {
    ...usual,
    key: 'since',
    name: 'since',
    kind: 'text',
    description: '30s, 15m, 1h, 2d ago, or a time in UTC: 12:00, "11-15 12:00:00.000", 2026-11-15, 2026-11-15T12:00Z',
  },
  { ...usual, key: 'until', name: 'until', kind: 'text', description: 'the same; what was logged then is shown too' },
  {
    ...usual,
    key: 'lines',
    name: 'lines',
    short: 'n',
    kind: 'number',
    description: `the newest so many; default ${DEFAULT_LINES}, with --since all of them`,
  },
];

/** The search, for people who look. */
export const logCommands: readonly OwnCommand[] = [
  {
    words: ['logs'],
    summary: "Show an environment's log, and follow it",
    description:
      'Shows the newest lines that match, the oldest of them first. Times are in UTC. With --json every line is an ' +
      'object of its own.',
    endpoint: 'logs.search',
    arguments: ['environmentId'],
    flags,
    async run(run) {
      const wanted = readWanted(run.body);
      if (wanted.follow) await follow(run, wanted);
      else await search(run, wanted);
      return null;
    },
  },
];

interface Wanted {
  environmentId: string;
  targetOrganisationId: string | undefined;
  follow: boolean;
  severity: string[];
  text: string | undefined;
  since: Date | null;
  until: Date | null;
  /** Null where nobody said how many. */
  lines: number | null;
}

interface Given extends Omit<Wanted, 'since' | 'until'> {
  since: string;
  until: string;
}

function readWanted(body: Record<string, unknown>): Wanted {
  const {
    environmentId,
    targetOrganisationId,
    follow = false,
    severity = [],
    text,
    since,
    until,
    lines,
  } = body as Partial<Given> & { environmentId: string };
  const now = new Date();
  const wanted = {
    environmentId,
    targetOrganisationId,
    follow,
    severity: severity.flatMap((names) => names.split(',')).filter((name) => name.trim() !== ''),
    text,
    since: since === undefined ? null : readTime(since, { flag: 'since', now }),
    until: until === undefined ? null : readTime(until, { flag: 'until', now }),
    lines: lines ?? null,
  };
  assertMakesSense(wanted);
  return wanted;
}

function assertMakesSense({ follow, since, until, lines }: Wanted): void {
  const range = follow ? { least: 0, most: MAX_FOLLOWED_LINES } : { least: 1, most: MAX_LINES };
  if (lines !== null && (!Number.isInteger(lines) || lines < range.least || lines > range.most)) {
    const where = follow ? ' with --follow' : '';
    throw new UsageError(`--lines is a whole number from ${range.least} to ${range.most}${where}, not ${lines}.`);
  }
  if (follow && until) throw new UsageError('--until has an end and --follow has none: leave one of them out.');
  if (since && until && since > until) throw new UsageError('--since is after --until.');
}

async function search(run: CommandRun, wanted: Wanted): Promise<void> {
  const most = wanted.lines ?? (wanted.since ? MAX_UNASKED_LINES : DEFAULT_LINES);
  // One more than is shown tells whether there are more.
  const found = await findLines(run, wanted, wanted.lines ?? most + 1);
  if (found.length === 0 && !run.isJson) run.complain(`${nothingFound(wanted)}\n`);
  for (const line of found.slice(-most)) await show(run, parseLine(line));
  if (found.length > most && (wanted.since || run.isTerminal)) run.complain(`${olderLeftOut(wanted, most)}\n`);
}

/** The pages from the newest to older ones, until there are as many lines as wanted. */
async function findLines(run: CommandRun, wanted: Wanted, count: number): Promise<string[]> {
  const { environmentId, targetOrganisationId, severity, text, since, until } = wanted;
  const filters = {
    ...(severity.length > 0 && { severity }),
    ...(text && { textSearch: text }),
    ...(since && { startTime: since.toISOString() }),
    ...(until && { endTime: until.toISOString() }),
  };
  const pages: string[][] = [];
  let left = count;
  let cursor: string | null = null;
  while (left > 0) {
    const limit = Math.min(left, PAGE_LINES);
    const body = { environmentId, targetOrganisationId, filters, limit, ...(cursor !== null && { cursor }) };
    let next: string | null = null;
    const page: string[] = await run.client.call('logs.search', {
      body,
      signal: run.signal,
      onHeaders: (headers) => (next = headers.get('x-next-cursor')),
    });
    pages.unshift(page);
    left -= page.length;
    cursor = next;
    if (cursor === null) break;
  }
  return pages.flat();
}

function nothingFound({ severity, text, since, until }: Wanted): string {
  if (severity.length > 0 || text || since || until) return 'No line matches.';
  return 'Nothing was logged in the last seven days.';
}

function olderLeftOut({ since }: Wanted, most: number): string {
  if (!since) return `There are older lines: --lines N shows more than ${most}, --since 1h all of an hour.`;
  return `These are the newest ${most}, and there are older ones: end earlier with --until, or say how many with --lines.`;
}

async function follow(run: CommandRun, wanted: Wanted): Promise<void> {
  const { environmentId, targetOrganisationId = OWN_ORGANISATION, severity, text, since } = wanted;
  const lines = wanted.lines ?? (since ? MAX_FOLLOWED_LINES : DEFAULT_LINES);
  let isTold = false;
  const tellOpen = () => {
    if (run.isTerminal && !isTold) run.complain('Following the log; Ctrl-C ends.\n');
    isTold = true;
  };
  const events = run.client.stream('logs.stream', {
    params: { targetOrganisationId, environmentId },
    query: { lines, ...(severity.length > 0 && { severity: severity.join(',') }), ...(text && { textSearch: text }) },
    signal: run.signal,
    onHeaders: tellOpen,
  });
  // Those lines come first, and may be older than wanted.
  const isWanted = ({ t }: LogLine) => since === null || new Date(t) >= since;
  for await (const { data } of events) if (isWanted(data)) await show(run, data);
}

async function show({ isJson, paper, print }: CommandRun, line: LogLine): Promise<void> {
  await print(`${isJson ? JSON.stringify(line) : renderLine(line, paper)}\n`);
}
