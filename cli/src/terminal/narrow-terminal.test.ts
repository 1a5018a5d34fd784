import { describe, expect, it } from 'vitest';
import { lilac } from '../testing/lilac.ts';
import { startPlatformDouble } from '../testing/start-platform-double.ts';

const idOf = (kind: string, count: number) => `${kind}_01m7fvrwmrg7wnv63kbcmaa4c${count}`;
const tableOf = async (line: string, path: string, body: unknown) => {
  using platform = await startPlatformDouble({ [path]: { body } });
  const environment = { LILAC_API_URL: platform.url, LILAC_TOKEN: 'lc_key' };
  return (await lilac(line, environment, { width: 80 })).out.split('\n');
};
const deployment = {
  id: idOf('dep', 1),
  environment_id: idOf('env', 1),
  status: 'cancelled',
  deployment_stage: 'building',
  commit_sha: null as string | null,
  commit_message: null as string | null,
  error: null,
  is_live: false,
  can_rollback: true,
  started_at: '2026-11-15T12:00:00.000Z',
  completed_at: null,
};

describe('lilac, on 80 columns', () => {
  it('tells deployments apart, those of uploads by when and those of commits by what', async () => {
    const uploads = [deployment, { ...deployment, id: idOf('dep', 2), started_at: '2026-11-15T12:00:09.000Z' }];
    const [head, first, second] = await tableOf('deployments list env_1', '/api/deployments', uploads);
    expect(head).toMatch(/^ID +STATUS +LIVE +STARTED AT \(UTC\) +ROLLBACK$/);
    expect([first, second]).toEqual([
      `${idOf('dep', 1)}  cancelled  no    2026-11-15 12:00:00  yes`,
      `${idOf('dep', 2)}  cancelled  no    2026-11-15 12:00:09  yes`,
    ]);
    const commit = {
      commit_sha: 'abcdef0123456789',
      commit_message: 'Say what changed, in a line as long as it takes',
    };
    const [, , below] = await tableOf('deployments list env_1', '/api/deployments', [{ ...deployment, ...commit }]);
    expect(below).toBe('  abcdef0 Say what changed, in a line as long as it takes');
  });

  it('shows of activity when, what, about what and by whom', async () => {
    const entry = { id: idOf('act', 1), action: 'environment_variables_changed', created_at: deployment.started_at };
    const about = { application_id: idOf('app', 1), subject: 'a-rather-long-name / production' };
    const by = { actor_email: 'somebody.with.a.long.name@example.org' };
    const [head, row] = await tableOf('orgs activity', '/api/organisations/activity', [{ ...entry, ...about, ...by }]);
    expect(head).toMatch(/^AT \(UTC\) +ACTION +WHAT +BY$/);
    expect(row).toMatch(/^2026-11-15 12:00 {2}environment_variables_changed {2}a-rather-\S*… +somebody\S+…$/);
    expect(row!.length).toBeLessThanOrEqual(80);
  });

  it('shows of keys whether and when they are used', async () => {
    const name = 'a rather long name of a key for the pipeline';
    const dates = { created_at: deployment.started_at, last_used_at: deployment.started_at };
    const unset = { created_by: null, expires_at: null, revoked_at: null };
    const key = { id: idOf('key', 1), name, prefix: 'lc_abcd', role: 'admin', ...unset, ...dates };
    const [head, row, , note] = await tableOf('keys list', '/api/api-keys', [key]);
    expect(head).toMatch(/^ID +NAME +STATUS +ROLE +LAST USED \(UTC\)$/);
    expect(row).toMatch(/ {2}a rather lon\S* ?… +active +admin +2026-11-15 12:00$/);
    expect(note).toBe('… 2 more columns: widen the terminal, or --json');
  });
});
