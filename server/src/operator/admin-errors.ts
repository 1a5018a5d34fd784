import { InvalidArgumentError, type Command } from 'commander';
import { plainText } from '../lib/plain-text.ts';
import { KEPT_DAYS, KEPT_ERRORS } from '../modules/platform/platform-error.ts';
import {
  findPlatformErrors,
  listPlatformErrors,
  type PlatformErrorRow,
} from '../modules/platform/platform-error-store.ts';
import { openInstallation, type Installation } from './open-installation.ts';
import { printResult, type OperatorContext } from './operator-context.ts';
import { OperatorError } from './operator-error.ts';
import { toSecond } from './utc-time.ts';

interface Options {
  limit: number;
  json?: true;
}

const DEFAULT_LIMIT = 20;
const MOST = 1000;
/** A request has one error, and the jobs that follow from it perhaps some more. */
const MOST_OF_ONE = 100;

export function addErrors(admin: Command, context: OperatorContext): void {
  admin
    .command('errors')
    .summary('show failures of the platform that nobody expected')
    .description(
      'Lists the newest failures that nobody expected, or shows all of one: what happened, where, and the stack. ' +
        `The newest ${KEPT_ERRORS.toLocaleString('en')} of the last ${KEPT_DAYS} days are kept. The server may run or not.`,
    )
    .argument('[id]', 'the errorId of an answer or of a log line, or the id of a request, a job or a deployment')
    .option('--limit <number>', `how many to list, at most ${MOST}`, readLimit, DEFAULT_LIMIT)
    .option('--json', 'print one JSON document')
    .action((id: string | undefined, options: Options) => run(context, id, options));
}

async function run(context: OperatorContext, id: string | undefined, { limit, json }: Options): Promise<void> {
  await using installation = await openInstallation(context.loadConfig(), { mayCreate: false });
  const isJson = json === true;
  if (id === undefined) {
    const errors = await listPlatformErrors(installation.store.db, limit);
    const document = { errors: errors.map((error) => documentOf(error)) };
    return printResult(context, { isJson, document, lines: listLines(errors) });
  }
  const errors = await find(installation, id);
  const document = { errors: errors.map((error) => ({ ...documentOf(error), stack: error.stack })) };
  printResult(context, { isJson, document, lines: errors.flatMap(describe) });
}

async function find({ store }: Installation, id: string): Promise<PlatformErrorRow[]> {
  const errors = await findPlatformErrors(store.db, id, MOST_OF_ONE);
  if (errors.length > 0) return errors;
  throw new OperatorError(
    `No error ${plainText(id)} is kept.`,
    `Give the errorId of an answer (err_…), or the id of a request (req_…), a job or a deployment (dep_…). After ${KEPT_DAYS} days, and while ` +
      'the store was away, only the log has it. "lilac admin errors" lists those that are kept.',
  );
}

function readLimit(text: string): number {
  const limit = /^\d{1,6}$/.test(text) ? Number(text) : 0;
  if (limit < 1 || limit > MOST) throw new InvalidArgumentError(`It must be a number from 1 to ${MOST}.`);
  return limit;
}

function documentOf({ id, occurred_at, role, origin, request_id, job_id, message }: PlatformErrorRow) {
  const at = occurred_at.toISOString();
  return { errorId: id, at, role, origin, requestId: request_id, jobId: job_id, message };
}

function listLines(errors: readonly PlatformErrorRow[]): string[] {
  if (errors.length === 0) return ['Nothing has failed unexpectedly.'];
  return errors.map(({ id, occurred_at, origin, message }) => {
    const [first] = plainText(message).split('\n', 1);
    return [toSecond(occurred_at), id, plainText(origin), first].join('  ');
  });
}

function describe({ id, occurred_at, role, origin, request_id, job_id, message, stack }: PlatformErrorRow): string[] {
  return [
    `${id}  ${toSecond(occurred_at)}`,
    `where    ${plainText(origin)} (${role})`,
    ...(request_id ? [`request  ${request_id}`] : []),
    ...(job_id ? [`job      ${job_id}`] : []),
    `message  ${plainText(message)}`,
    '',
    ...plainText(stack).split('\n'),
    '',
  ];
}
