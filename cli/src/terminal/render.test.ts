import { describe, expect, it } from 'vitest';
import { renderAnswer as render } from './render.ts';

const application = { id: 'app_1', name: 'shop', slug: 'shop', runtime: null, status: 'healthy', url: 'http://shop' };

const renderAnswer = (answer: unknown, width: number) => render(answer, { width, hasColours: false, hasUnicode: true });

describe('renderAnswer', () => {
  it('shows a page as a table, what people look for first, and where in the list it is', () => {
    const page = { items: [application], totalItems: 11, totalPages: 2, currentPage: 1 };
    expect(renderAnswer(page, 200)).toBe(
      [
        'ID     NAME  STATUS   URL          SLUG  RUNTIME',
        'app_1  shop  healthy  http://shop  shop  -',
        '',
        'Page 1 of 2, 11 in all.',
      ].join('\n'),
    );
  });

  it('leaves out the columns that do not fit and says so, but for the address: that goes below its row', () => {
    const note = '… 1 more column: widen the terminal, or --json';
    expect(renderAnswer([application], 34)).toBe(
      `ID     NAME  STATUS   URL\napp_1  shop  healthy  http://shop\n\n${note}`,
    );
    expect(renderAnswer([application], 22)).toBe(`ID     NAME  STATUS\napp_1  shop  healthy\n  http://shop\n\n${note}`);
    expect(renderAnswer([{ id: 'app_1', name: 'shop', status: 'ok' }], 1)).toBe(
      `ID\napp_1\n\n… 2 more columns: widen the terminal, or --json`,
    );
  });

  it('leaves out what is empty first, and says nothing of that', () => {
    const deployment = { id: 'dep_1', status: 'ok', commit_sha: null, slug: 'shop' };
    expect(renderAnswer([deployment], 40)).toBe('ID     STATUS  COMMIT SHA  SLUG\ndep_1  ok      -           shop');
    expect(renderAnswer([deployment], 28)).toBe('ID     STATUS  SLUG\ndep_1  ok      shop');
  });

  it('cuts names and words before it leaves out what people look for', () => {
    const long = 'x'.repeat(60);
    const [head, row] = renderAnswer(
      [{ at: '2026-11-15T12:00:00.000Z', action: 'made', what: long, by: long }],
      60,
    ).split('\n');
    expect(head).toMatch(/^AT \(UTC\) +ACTION +WHAT +BY$/);
    expect(row).toBe(`2026-11-15 12:00  made    ${'x'.repeat(17)}…  ${'x'.repeat(13)}…`);
  });

  it('shows seconds where minutes would make two times look the same', () => {
    const times = ['2026-11-15T12:00:59.100Z', '2026-11-15T12:01:00.000Z', null];
    const rows = (...more: string[]) => [...times, ...more].map((at) => ({ at }));
    expect(renderAnswer(rows(), 80)).toBe('AT (UTC)\n2026-11-15 12:00\n2026-11-15 12:01\n-');
    expect(renderAnswer(rows('2026-11-15T12:01:07.000Z'), 80)).toContain(
      '\n2026-11-15 12:01:00\n-\n2026-11-15 12:01:07',
    );
  });

  it('names things as people write them', () => {
    const database = { id: 'db_1', storage_gb: 10, ha_enabled: true, public_ip_enabled: false, publicUrl: 'http://x' };
    const names = renderAnswer(database, 80)
      .split('\n')
      .map((line) => line.split(':')[0]);
    expect(names).toEqual(['Id', 'Storage GB', 'HA enabled', 'Public IP enabled', 'Public URL']);
  });

  it('keeps the names in a map as they are', () => {
    const shape = {
      properties: { byId: { additionalProperties: { type: 'number' } }, map_all: { type: 'number' } },
    };
    const answer = { map_all: 1, byId: { env_01aB: 1, someThing: 2 } };
    expect(render(answer, { width: 80, hasColours: false, hasUnicode: true }, shape)).toBe(
      'Map all:  1\n\nBy id\n  env_01aB:   1\n  someThing:  2',
    );
  });

  it('cuts what would push everything else out, and never an id or an address', () => {
    const long = 'x'.repeat(60);
    const table = renderAnswer([{ id: long, name: long, status: 'ok', url: long }], 200);
    expect(table.split('\n')[1]).toBe(`${long}  ${'x'.repeat(39)}…  ok      ${long}`);
  });

  it('says below a row what went wrong there, and nothing below the others', () => {
    const deployments = [
      { id: 'dep_2', status: 'failed', error: 'npm ended with 1.' },
      { id: 'dep_1', status: 'healthy', error: null },
    ];
    expect(renderAnswer(deployments, 40)).toBe(
      'ID     STATUS\ndep_2  failed\n  Error: npm ended with 1.\ndep_1  healthy',
    );
  });

  it('shows variables by the names and with the values that they have', () => {
    const environment_vars = { VITE_ODD: 'a b', lower_case: 'two\nlines', EMPTY: '', QUOTED: '"x"', BAD: '\u009b2J' };
    expect(renderAnswer({ id: 'env_1', environment_vars }, 20)).toBe(
      [
        'Id:  env_1',
        '',
        'Environment vars',
        '  VITE_ODD    a b',
        String.raw`  lower_case  "two\nlines"`,
        '  EMPTY       ""',
        String.raw`  QUOTED      "\"x\""`,
        String.raw`  BAD         "\u009b2J"`,
      ].join('\n'),
    );
    expect(renderAnswer({ environment_vars: {} }, 80)).toBe('Environment vars\n  None.');
  });

  it('says so when there is nothing', () => {
    expect(renderAnswer([], 80)).toBe('None.');
    expect(renderAnswer({ items: [], totalItems: 0, totalPages: 0, currentPage: 1 }, 80)).toBe('None.');
  });

  it('shows a thing by name and value, and what it holds below', () => {
    const person = {
      first_name: 'Ada',
      mfaEnabled: false,
      created_at: '2026-11-15T04:05:06.789Z',
      organisations: [{ id: 'org_1' }],
    };
    expect(renderAnswer(person, 80)).toBe(
      [
        'First name:   Ada',
        'Mfa enabled:  no',
        'Created at:   2026-11-15 04:05 UTC',
        '',
        'Organisations',
        '  ID',
        '  org_1',
      ].join('\n'),
    );
  });

  it('shows lines of a log below one another, and a few words in a row', () => {
    const deployment = { flags: ['a', 'b'], deployment_logs: ['Installing packages', 'Done'] };
    expect(renderAnswer(deployment, 80)).toBe('Flags:  a, b\n\nDeployment logs\n  Installing packages\n  Done');
  });

  it('shows of deployments how far they are before whose they are', () => {
    const deployment = { id: 'dep_1', environment_id: 'env_1', status: 'failed', deployment_stage: 'building' };
    expect(renderAnswer([deployment], 35)).toMatch(
      /^ID     STATUS  DEPLOYMENT STAGE\ndep_1  failed  building\n\n… 1 more column/,
    );
  });

  it('leaves lines of a log the colours that tools gave them, where there are any to be seen', () => {
    const deployment = {
      deployment_logs: ['\u001b[36mvite \u001b[1mv7', '\u001b[2J\u001b]0;title\u0007made\u0007\tit\r'],
    };
    const onTerminal = render(deployment, { width: 80, hasColours: true, hasUnicode: true });
    expect(onTerminal).toBe('Deployment logs\n  \u001b[36mvite \u001b[1mv7\u001b[0m\n  made\tit');
    expect(renderAnswer(deployment, 80)).toBe('Deployment logs\n  vite v7\n  made\tit');
  });

  it('lets no name control the terminal', () => {
    expect(renderAnswer([{ name: '\u001b[2Jgone\u009b1m\n' }], 80)).toBe('NAME\ngone');
  });
});
