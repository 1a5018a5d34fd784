import { OWN_ORGANISATION } from '@lilac/contract/scopes';
import { severities } from '@lilac/contract/states';
import type { Flag } from './flag.ts';
import type { CommandRun, OwnCommand } from './own-command.ts';
import { parseLine, renderLine, type LogLine } from './render-log.ts';
import { readSince } from './since.ts';
import { UsageError } from './usage-error.ts';

const DEFAULT_LINES = 100;
const MAX_FOLLOWED_LINES = 1000;
const MAX_LINES = 1_000_000;
/** What one search answers at most. */
const PAGE_LINES = 10_000;

const usual = { part: 'body', isRequired: false, isNullable: false, choices: [] } as const;

const flags: readonly Flag[] = [
  { ...usual, key: 'follow', name: 'follow', kind: 'switch', description: 'go on with what comes, until Ctrl-C' },
  {
    ...usual,
    key: 'severity',
    name: 'severity',
    kind: 'list',
    description: `any of ${severities.join(', ')}; several with commas`,
  },
  { ...usual, key: 'text', name: 'text', kind: 'text', description: 'a part of the message, in upper or lower case' },
  { ...usual, key: 'since', name: 'since', kind: 'text', description: '30s, 15m, 1h, 2d ago, or a time' },
  {
    ...usual,
    key: 'lines',
    name: 'lines',
    kind: 'number',
    description: `the newest so many; default ${DEFAULT_LINES}`,
  },
];

/** `envs logs` is the search as it is; this is for people who look. */
export const logCommands: readonly OwnCommand[] = [
  {
    words: ['logs'],
    summary: "Show an environment's log, and follow it",
    description:
      'Shows the newest lines that match, the oldest of them first. With --json every line is an object of its own.',
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
  lines: number;
}

function readWanted(body: Record<string, unknown>): Wanted {
  const {
    environmentId,
    targetOrganisationId,
    follow = false,
    severity = [],
    text,
    since,
    lines = DEFAULT_LINES,
  } = body as Omit<Partial<Wanted>, 'since'> & { environmentId: string; since?: string };
  const range = follow ? { least: 0, most: MAX_FOLLOWED_LINES } : { least: 1, most: MAX_LINES };
  if (!Number.isInteger(lines) || lines < range.least || lines > range.most) {
    const where = follow ? ' with --follow' : '';
    throw new UsageError(`--lines is a whole number from ${range.least} to ${range.most}${where}, not ${lines}.`);
  }
  return {
    environmentId,
    targetOrganisationId,
    follow,
    severity: severity.flatMap((names) => names.split(',')).filter((name) => name.trim() !== ''),
    text,
    since: since === undefined ? null : readSince(since, new Date()),
    lines,
  };
}

/** The pages from the newest to older ones, until there are as many lines as wanted. */
async function search(run: CommandRun, wanted: Wanted): Promise<void> {
  const { environmentId, targetOrganisationId, severity, text, since } = wanted;
  const filters = {
    ...(severity.length > 0 && { severity }),
    ...(text && { textSearch: text }),
    ...(since && { startTime: since.toISOString() }),
  };
  const pages: string[][] = [];
  let left = wanted.lines;
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
  const lines = pages.flat();
  if (lines.length === 0 && !run.isJson) run.complain(`${nothingFound(wanted)}\n`);
  for (const line of lines) await show(run, parseLine(line));
}

function nothingFound({ severity, text, since }: Wanted): string {
  if (severity.length > 0 || text || since) return 'No line matches.';
  return 'Nothing was logged in the last seven days.';
}

async function follow(run: CommandRun, wanted: Wanted): Promise<void> {
  const { environmentId, targetOrganisationId = OWN_ORGANISATION, severity, text, since, lines } = wanted;
  let isTold = false;
  const tellOpen = () => {
    if (run.paper.hasColours && !isTold) run.complain('Following the log; Ctrl-C ends.\n');
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
