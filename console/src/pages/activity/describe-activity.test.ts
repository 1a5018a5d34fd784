import { describe, expect, it } from 'vitest';
import { describeAction, isGone, nameTarget, sayWhich, subjectPath } from './describe-activity.ts';

const nowhere = { application_id: null, environment_id: null, database_id: null };
const inside = { ...nowhere, application_id: 'app_1', environment_id: 'env_1' };

const at = (second: number) => new Date(Date.UTC(2026, 0, 1, 0, 0, second)).toISOString();
const made = (id: string, commit_sha: string | null, second: number, upload_name: string | null = null) => ({
  id,
  commit_sha,
  upload_name,
  commit_message: null,
  started_at: at(second),
});

describe('an entry of the activity', () => {
  it.each([
    ['api_key_created', 'API key created'],
    ['environment_vars_updated', 'Environment variables updated'],
    ['deployment_rolled_back', 'Deployment rolled back'],
    ['what_comes_later', 'What comes later'],
  ])('%s is read as "%s"', (action, text) => {
    expect(describeAction(action)).toBe(text);
  });

  it.each([
    ['deployment_started', inside, '/environments/env_1'],
    ['application_renamed', inside, '/apps/app_1'],
    ['application_moved', { ...inside, environment_id: null }, '/apps/app_1'],
    ['database_created', { ...nowhere, database_id: 'db_1' }, '/databases/db_1'],
    ['database_connected', { ...inside, database_id: 'db_1' }, '/databases/db_1'],
    ['database_created', nowhere, '/databases'],
    ['member_invited', nowhere, '/members'],
  ])('%s leads to where it can be seen', (action, place, path) => {
    expect(subjectPath({ action, ...place })).toBe(path);
  });

  it('leads nowhere from what is gone or has no page', () => {
    expect(subjectPath({ action: 'application_deleted', ...inside })).toBeNull();
    expect(subjectPath({ action: 'environment_deleted', ...inside })).toBeNull();
    expect(subjectPath({ action: 'database_deleted', ...nowhere, database_id: 'db_1' })).toBeNull();
    expect(subjectPath({ action: 'operator_signed_in', ...nowhere })).toBeNull();
  });
});

describe('the deployment of an entry', () => {
  it('is told by its commit, with the time where two are of one', () => {
    const known = [
      made('dep_3', 'b'.repeat(40), 3),
      made('dep_2', 'b'.repeat(40), 2),
      made('dep_1', 'a'.repeat(40), 1),
    ];
    expect(sayWhich('dep_1', known)).toBe('aaaaaaa');
    expect(sayWhich('dep_3', known)).toMatch(/^bbbbbbb, .*\d\d:\d\d:03$/);
  });

  it('is told by its archive and the time', () => {
    expect(sayWhich('dep_1', [made('dep_1', null, 7, 'site.zip')])).toMatch(/^site\.zip, .*\d\d:\d\d:07$/);
  });

  it('is told by the end of its id where nothing more is known', () => {
    expect(sayWhich('dep_0123456789', [])).toBe('…456789');
  });

  it('is gone where later ones are known and it is not', () => {
    const entry = { deployment_id: 'dep_1', created_at: at(5) };
    expect(isGone(entry, [made('dep_9', null, 9)])).toBe(true);
    expect(isGone(entry, [made('dep_9', null, 9), made('dep_1', null, 1)])).toBe(false);
    expect(isGone(entry, []), 'nobody has asked').toBe(false);
    expect(isGone(entry, [made('dep_0', null, 1)]), 'it may be too new to be known').toBe(false);
  });
});

it.each([
  ['custom_domain_updated', 'Shop / preview: www.example.org', 'www.example.org'],
  ['certificate_issued', 'Shop: the new one / preview: www.example.org', 'www.example.org'],
  ['custom_domain_removed', 'Shop: the new one / preview', null],
  ['database_connected', 'Orders', 'Orders'],
  ['scaling_updated', 'Shop / preview', null],
  ['custom_domain_lost', null, null],
])('of %s about %s the target is %s', (action, subject, target) => {
  expect(nameTarget({ action, subject })).toBe(target);
});
