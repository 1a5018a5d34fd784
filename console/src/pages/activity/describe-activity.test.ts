import { describe, expect, it } from 'vitest';
import { describeAction, subjectPath } from './describe-activity.ts';

const nowhere = { application_id: null, environment_id: null, database_id: null };
const inside = { ...nowhere, application_id: 'app_1', environment_id: 'env_1' };

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
