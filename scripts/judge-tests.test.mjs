import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { isAboutSkips, judgeFirstRun, judgeSecondRun, whoMaySkip } from './judge-tests.mjs';

const unit = {
  path: 'server/src/a.test.ts',
  project: 'unit',
  state: 'passed',
  passed: 3,
  tests: 3,
  skipped: [],
  problems: [],
};
const platform = { ...unit, path: 'e2e/a.test.ts', project: 'e2e' };
const failedPlatform = { ...platform, state: 'failed', passed: 1 };
const alone = { ...failedPlatform, path: 'e2e/b.test.ts', project: 'e2e alone' };

function run(
  files,
  { exitCode = 0, reason = exitCode === 0 ? 'passed' : 'failed', unhandledErrors = [], reasons = [] } = {},
) {
  return { exitCode, outcome: { reason, unhandledErrors, files, reasons } };
}

describe('a run of the tests', () => {
  it('is good when every file passed', () => {
    expect(judgeFirstRun(run([unit, platform]))).toEqual({ verdict: 'good' });
  });

  it('is good when a file had nothing to test on this machine', () => {
    expect(judgeFirstRun(run([unit, { ...platform, state: 'skipped', passed: 0 }])).verdict).toBe('good');
  });

  it('gives the files that failed, and no other, a second attempt', () => {
    expect(judgeFirstRun(run([unit, failedPlatform, alone], { exitCode: 1 }))).toEqual({
      verdict: 'again',
      files: [failedPlatform, alone],
    });
  });

  it.each([
    'e2e/chaos.test.ts',
    'e2e/edge-fuzz.test.ts',
    'server/src/http/fuzz.test.ts',
    'server/src/http/fuzz-sign-in.test.ts',
    'server/src/http/contract-matrix.test.ts',
  ])('is bad when %s failed, which tries what chance and the contract bring', (path) => {
    expect(existsSync(join(import.meta.dirname, '..', path)), 'it is there').toBe(true);
    const { verdict, why } = judgeFirstRun(run([unit, failedPlatform, { ...failedPlatform, path }], { exitCode: 1 }));
    expect(verdict).toBe('bad');
    expect(why).toContain(path);
    expect(why).not.toContain(failedPlatform.path);
  });

  it('gives a file a second attempt whose name only sounds like one of these', () => {
    const other = { ...failedPlatform, path: 'console/src/lib/fuzzy-match.test.ts' };
    expect(judgeFirstRun(run([other], { exitCode: 1 })).verdict).toBe('again');
  });

  it('is bad when more than a few files failed', () => {
    const many = Array.from({ length: 9 }, (_, number) => ({ ...failedPlatform, path: `e2e/${number}.test.ts` }));
    expect(judgeFirstRun(run(many.slice(1), { exitCode: 1 })).verdict).toBe('again');
    expect(judgeFirstRun(run(many, { exitCode: 1 })).verdict).toBe('bad');
  });

  it('gives a file that could not even be loaded a second attempt', () => {
    const unloaded = { ...platform, state: 'failed', passed: 0, tests: 0 };
    expect(judgeFirstRun(run([unloaded], { exitCode: 1 })).verdict).toBe('again');
  });
});

const strict = (files, said) => ({ ...run(files, said), maySkip: () => false });

describe('a run in which nothing may be skipped', () => {
  const skipped = [{ name: 'swarm > is there', note: null }];
  const lacking = { ...platform, state: 'skipped', passed: 0, skipped };

  it('is good when nothing was', () => {
    expect(judgeFirstRun(strict([unit, platform]))).toEqual({ verdict: 'good' });
  });

  it.each([
    ['a whole file', lacking],
    ['one test of many', { ...platform, skipped }],
  ])('is bad when %s was twice, and names the test and the reason', (_, file) => {
    expect(judgeFirstRun(strict([unit, file]))).toEqual({ verdict: 'again', files: [file] });
    const second = judgeSecondRun([file], strict([file, platform], { reasons: ['no Docker here.'] }));
    expect(second.verdict).toBe('bad');
    expect(second.why).toContain('e2e/a.test.ts: swarm > is there');
    expect(second.why).toContain('no Docker here.');
    expect(judgeSecondRun([file], strict([platform]))).toEqual({ verdict: 'good' });
    expect(judgeFirstRun(run([unit, file]))).toEqual({ verdict: 'good' });
  });

  it('is bad at once when there are many, as on a machine that lacks something', () => {
    const many = Array.from({ length: 9 }, (_, at) => ({ ...lacking, path: `e2e/${at}.test.ts` }));
    const judged = judgeFirstRun(strict([unit, ...many], { reasons: ['no Docker here.'] }));
    expect(judged.verdict).toBe('bad');
    expect(judged.why).toContain('e2e/8.test.ts: swarm > is there');
    expect(judged.why).toContain('no Docker here.');
  });

  it('but in one file is good when that one was, and bad when another was', () => {
    const maySkip = (path) => path === lacking.path;
    const other = { ...lacking, path: 'e2e/other.test.ts' };
    expect(judgeFirstRun({ ...run([unit, lacking]), maySkip })).toEqual({ verdict: 'good' });
    expect(judgeFirstRun({ ...run([unit, lacking, other]), maySkip })).toEqual({ verdict: 'again', files: [other] });
    const second = judgeSecondRun([other], { ...run([unit, lacking, other]), maySkip });
    expect(second.verdict).toBe('bad');
    expect(second.why).toContain('e2e/other.test.ts: swarm > is there');
    expect(second.why).not.toContain(lacking.path);
  });

  it('says what a test said of itself', () => {
    const file = { ...platform, skipped: [{ name: 'a', note: 'no control group' }] };
    expect(judgeSecondRun([file], strict([unit, file])).why).toContain('a (no control group)');
  });

  it('gives a file that failed before its tests a second attempt', () => {
    const failed = { ...failedPlatform, skipped };
    expect(judgeFirstRun(strict([unit, failed], { exitCode: 1 }))).toEqual({ verdict: 'again', files: [failed] });
  });
});

describe('whether tests may be skipped', () => {
  it.each([
    [true, [], {}],
    [true, [], { CI: '' }],
    [true, [], { CI: 'false' }],
    [false, [], { CI: 'true' }],
    [false, ['--project', 'unit'], { CI: '1' }],
    [false, ['--no-skips'], {}],
    [false, ['--no-skips'], { CI: 'false' }],
    [true, ['-t', 'by name'], { CI: 'true' }],
    [true, ['--testNamePattern=by name'], { CI: 'true' }],
    [true, ['--no-skips-but=e2e/a.test.ts'], { CI: 'true' }],
    [true, ['--no-skips-but=e2e/b.test.ts', '--no-skips-but=e2e/a.test.ts'], {}],
    [false, ['--no-skips-but=e2e/b.test.ts'], {}],
    [false, ['--no-skips-but=e2e/a'], {}],
    [false, ['--no-skips-but='], {}],
  ])('is %s with %j and %j', (expected, args, environment) => {
    expect(whoMaySkip(args, environment)('e2e/a.test.ts')).toBe(expected);
  });
});

it('what CI excepts is a file of tests that there is', () => {
  const root = join(import.meta.dirname, '..');
  const excepted = readFileSync(join(root, '.ci/run'), 'utf8').match(/(?<=--no-skips-but=)\S+/g);
  expect(excepted).toHaveLength(1);
  expect(excepted.filter((file) => !existsSync(join(root, file)))).toEqual([]);
});

it('vitest is told nothing of that', () => {
  const args = ['--project', 'unit', '--no-skips', '--no-skips-but=e2e/a.test.ts', 'scripts'];
  expect(args.filter((arg) => !isAboutSkips(arg))).toEqual(['--project', 'unit', 'scripts']);
});

describe('a second attempt', () => {
  it('is good when every file that failed passed whole', () => {
    const after = [platform, { ...alone, state: 'passed', passed: 3 }];
    expect(judgeSecondRun([failedPlatform, alone], run(after))).toEqual({ verdict: 'good' });
  });

  it.each([
    ['failed again', [{ ...failedPlatform, passed: 2 }], 1],
    ['was not run', [{ ...platform, path: 'e2e/other.test.ts' }], 0],
    ['was left out', [{ ...platform, state: 'skipped', passed: 0 }, unit], 0],
    ['had fewer tests', [{ ...platform, passed: 2, tests: 2 }], 0],
  ])('is bad, and names the file, when it %s', (_, files, exitCode) => {
    const judged = judgeSecondRun([failedPlatform], run(files, { exitCode }));
    expect(judged.verdict).toBe('bad');
    expect(judged.why).toContain('e2e/a.test.ts');
  });
});

const asFirst = judgeFirstRun;
const asSecond = (result) => judgeSecondRun([failedPlatform], result);

describe.each([
  ['first', asFirst],
  ['second', asSecond],
])('whatever the tests say, the %s run is bad', (_, judge) => {
  it.each([
    ['vitest left no word', { exitCode: 0, outcome: null }],
    ['vitest was killed', run([platform], { exitCode: 137 })],
    ['vitest ended with an error of its own', run([platform], { exitCode: 1 })],
    ['it was interrupted', run([platform], { exitCode: 0, reason: 'interrupted' })],
    ['no file was run', run([])],
    ['no test was run', run([{ ...platform, passed: 0, tests: 0 }])],
    ['every test was left out', run([{ ...platform, state: 'skipped', passed: 0 }])],
    ['an error was caught by nobody', run([platform], { exitCode: 1, unhandledErrors: ['Error: lost'] })],
    [
      'an error was caught by nobody, and a file failed',
      run([failedPlatform], { exitCode: 1, unhandledErrors: ['x'] }),
    ],
    ['a file never came to its end', run([{ ...unit, state: 'pending' }], { exitCode: 1 })],
  ])('when %s', (_, result) => {
    expect(judge(result).verdict).toBe('bad');
  });
});
