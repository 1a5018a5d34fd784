import { describe, expect, it } from 'vitest';
import { fail, ok, warn, type Check } from './check.ts';
import { renderReport } from './render-report.ts';
import { runChecks } from './run-checks.ts';
import { readConfig } from '../../config.ts';

const plain = { paint: (_: string, text: string) => text, width: Infinity };
const host = { config: readConfig({ LILAC_HOME: '/nowhere' }), environment: {} };
const check = (title: string, look: Check['look']): Check => ({ id: title.toLowerCase(), title, look });

describe('the report of the doctor', () => {
  it('aligns what was found, with what to do below', async () => {
    const families = await runChecks(host, [
      { title: 'One', checks: [check('Short', () => ok('fine')), check('Much longer', () => warn('odd', 'Do this.'))] },
      { title: 'Two', checks: [check('Bad', () => fail('broken', 'Mend it.'))] },
    ]);
    expect(renderReport(families, plain)).toEqual([
      'One',
      '  ✓ Short        fine',
      '  ! Much longer  odd',
      '                 → Do this.',
      '',
      'Two',
      '  ✗ Bad          broken',
      '                 → Mend it.',
      '',
      '1 failed, 1 warning. Mend what failed first.',
    ]);
  });

  it('goes on below itself where a line is not wide enough', async () => {
    const words = 'one two three four five six seven eight nine ten';
    const families = await runChecks(host, [{ title: 'One', checks: [check('Long', () => warn(words, words))] }]);
    expect(renderReport(families, { ...plain, width: 50 })).toEqual([
      'One',
      '  ! Long  one two three four five six seven eight',
      '          nine ten',
      '          → one two three four five six seven',
      '          eight nine ten',
      '',
      'Nothing failed, 1 warning.',
    ]);
  });

  it('counts a check that cannot look as failed', async () => {
    const broken = check('Broken', () => Promise.reject(new Error('no /proc')));
    const families = await runChecks(host, [{ title: 'One', checks: [broken] }]);
    expect(families[0]?.checks).toEqual([
      { id: 'broken', title: 'Broken', status: 'fail', found: 'could not be looked at: no /proc', advice: null },
    ]);
  });

  it('is cheerful when all is well', async () => {
    const families = await runChecks(host, [{ title: 'One', checks: [check('A', () => ok('fine'))] }]);
    expect(renderReport(families, plain).at(-1)).toBe('Nothing failed, no warnings.');
  });
});
