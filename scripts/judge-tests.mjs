/**
 * What a run of the tests comes to: good, bad, or a few files failed, which are run once more, as are those with tests
 * that were skipped, where none may be. The tests of a file may build on one another, so one of them alone cannot be
 * repeated.
 */
export function judgeFirstRun({ exitCode, outcome, maySkip = true }) {
  const broken = findBreakage({ exitCode, outcome });
  if (broken) return { verdict: 'bad', why: broken };
  // Whether a machine can do something is found out by trying, and a busy one may fail to.
  const failed = outcome.files.filter((file) => hasFailed(file) || (!maySkip && file.skipped.length > 0));
  if (failed.length === 0) return exitCode === 0 ? { verdict: 'good' } : { verdict: 'bad', why: endedWith(exitCode) };
  if (failed.length > MOST_AGAIN) {
    const skips = maySkip ? null : findSkips(outcome);
    return { verdict: 'bad', why: [`${failed.length} files failed.`, ...(skips ? [skips] : [])].join('\n') };
  }
  return { verdict: 'again', files: failed };
}

/** More than this is no accident. */
const MOST_AGAIN = 8;

/** Every file that failed must be there again, and pass whole. */
export function judgeSecondRun(failed, { exitCode, outcome, maySkip = true }) {
  const broken = findBreakage({ exitCode, outcome }) ?? (maySkip ? null : findSkips(outcome));
  if (broken) return { verdict: 'bad', why: broken };
  const lacking = failed.filter((before) => !hasMadeGood(before, outcome.files));
  if (lacking.length > 0) {
    return { verdict: 'bad', why: `Failed at both attempts: ${lacking.map(({ path }) => path).join(', ')}.` };
  }
  return exitCode === 0 ? { verdict: 'good' } : { verdict: 'bad', why: endedWith(exitCode) };
}

/** What no second attempt makes good: vitest itself failed, or nobody knows what was tested. */
function findBreakage({ exitCode, outcome }) {
  if (!outcome) return `vitest ended without saying what became of the tests (exit code ${exitCode}).`;
  if (exitCode !== 0 && exitCode !== 1) return endedWith(exitCode);
  if (outcome.reason === 'interrupted') return 'The run was interrupted.';
  if (outcome.unhandledErrors.length > 0) {
    return `Errors that no test caught:\n${outcome.unhandledErrors.map((error) => `  ${error}`).join('\n')}`;
  }
  const unended = outcome.files.filter(({ state }) => state === 'pending' || state === 'queued');
  if (unended.length > 0) return `Never came to an end: ${unended.map(({ path }) => path).join(', ')}.`;
  if (outcome.files.every((file) => file.passed === 0 && !hasFailed(file))) return 'No test was run.';
  return null;
}

/** Told to `scripts/test.mjs` by whoever wants all of them to be run. */
export const NO_SKIPS = '--no-skips';

/** CI is there to run every test; whoever asks for some by name has left out the others himself. */
export function maySkip(args, { CI = '' }) {
  if (args.includes(NO_SKIPS)) return false;
  const isSelected = args.some((arg) => /^(?:-t|--testNamePattern)(?:=|$)/.test(arg));
  return isSelected || ['', '0', 'false'].includes(CI);
}

/** On a machine that is there to test everything, what is skipped is not tested anywhere. */
function findSkips({ files, reasons }) {
  // What fails before its tests leaves them out too.
  const skipped = files
    .filter((file) => !hasFailed(file))
    .flatMap((file) => file.skipped.map((test) => ({ ...test, path: file.path })));
  if (skipped.length === 0) return null;
  const lines = skipped.map(({ path, name, note }) => `  ${path}: ${name}${note ? ` (${note})` : ''}`);
  const why = reasons.length > 0 ? `Why: ${reasons.join(' ')}` : 'Nobody said why.';
  return `Nothing may be skipped here, and this was:\n${lines.join('\n')}\n${why}`;
}

function hasMadeGood(before, files) {
  const after = files.find(({ path, project }) => path === before.path && project === before.project);
  return after?.state === 'passed' && after.passed > 0 && after.tests >= before.tests;
}

function hasFailed({ state }) {
  return state !== 'passed' && state !== 'skipped';
}

function endedWith(exitCode) {
  return `vitest ended with exit code ${exitCode}.`;
}
