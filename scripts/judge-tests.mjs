/**
 * What a run of the tests comes to: good, bad, or a few files failed, which are run once more, as are those with tests
 * that were skipped, where none may be. The tests of a file may build on one another, so one of them alone cannot be
 * repeated.
 */
export function judgeFirstRun({ exitCode, outcome, maySkip = () => true }) {
  const broken = findBreakage({ exitCode, outcome });
  if (broken) return { verdict: 'bad', why: broken };
  // Whether a machine can do something is found out by trying, and a busy one may fail to.
  const failed = outcome.files.filter((file) => hasFailed(file) || (!maySkip(file.path) && file.skipped.length > 0));
  if (failed.length === 0) return exitCode === 0 ? { verdict: 'good' } : { verdict: 'bad', why: endedWith(exitCode) };
  const proofs = failed.filter((file) => hasFailed(file) && isProof(file.path));
  if (proofs.length > 0) {
    return { verdict: 'bad', why: `Failed, and is not tried twice: ${proofs.map(({ path }) => path).join(', ')}.` };
  }
  if (failed.length > MOST_AGAIN) {
    const skips = findSkips(outcome, maySkip);
    return { verdict: 'bad', why: [`${failed.length} files failed.`, ...(skips ? [skips] : [])].join('\n') };
  }
  return { verdict: 'again', files: failed };
}

/** What looks for a fault by chance or by all there is: one that shows in every second run is a fault. */
const PROOFS = [/^e2e\/chaos\.test\.ts$/, /(?:^|[/-])fuzz(?:-[a-z-]+)?\.test\.ts$/, /\/contract-matrix\.test\.ts$/];
const isProof = (path) => PROOFS.some((proof) => proof.test(path));

/** More than this is no accident. */
const MOST_AGAIN = 8;

/** Every file that failed must be there again, and pass whole. */
export function judgeSecondRun(failed, { exitCode, outcome, maySkip = () => true }) {
  const broken = findBreakage({ exitCode, outcome }) ?? findSkips(outcome, maySkip);
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

/**
 * Told to `scripts/test.mjs`, and not to vitest, by whoever wants all tests to be run: all, or all but those of files.
 */
const [NO_SKIPS, NO_SKIPS_BUT] = ['--no-skips', '--no-skips-but='];

export function isAboutSkips(arg) {
  return arg === NO_SKIPS || arg.startsWith(NO_SKIPS_BUT);
}

/**
 * Of which files tests may be skipped. CI is there to run every test; whoever asks for some by name has left out the
 * others himself.
 */
export function whoMaySkip(args, { CI = '' }) {
  if (args.some(isAboutSkips)) {
    const excepted = args.filter((arg) => arg.startsWith(NO_SKIPS_BUT)).map((arg) => arg.slice(NO_SKIPS_BUT.length));
    return (path) => excepted.includes(path);
  }
  const isSelected = args.some((arg) => /^(?:-t|--testNamePattern)(?:=|$)/.test(arg));
  const mayAll = isSelected || ['', '0', 'false'].includes(CI);
  return () => mayAll;
}

/** On a machine that is there to test everything, what is skipped is not tested anywhere. */
function findSkips({ files, reasons }, maySkip) {
  // What fails before its tests leaves them out too.
  const skipped = files
    .filter((file) => !hasFailed(file) && !maySkip(file.path))
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
