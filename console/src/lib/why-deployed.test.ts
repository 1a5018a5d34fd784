import { describe, expect, it } from 'vitest';
import { type EnvironmentEntry, lastRollback, whyDeployed } from './why-deployed.ts';

const timeAt = (minute: number, second = 0) => `2026-11-16T07:${10 + minute}:${10 + second}.000Z`;
const deployment = (minute: number, commit_sha: string | null = `sha${minute}`) => ({
  id: `dep_${minute}`,
  commit_sha,
  started_at: timeAt(minute),
});

const entry = (action: string, minute: number, more: Partial<EnvironmentEntry> = {}): EnvironmentEntry => ({
  id: `act_${action}_${minute}`,
  action,
  actor_email: 'ada@example.org',
  deployment_id: action === 'environment_vars_updated' ? null : `dep_${minute}`,
  created_at: timeAt(minute, 1),
  ...more,
});

const started = (minute: number, actor_email = 'ada@example.org') =>
  entry('deployment_started', minute, { actor_email });

const why = (deployments: ReturnType<typeof deployment>[], ...entries: EnvironmentEntry[]) =>
  whyDeployed(deployments[0]!, { deployments, entries });

describe('why a deployment is there', () => {
  it.each([
    ['a person', started(2), 'Deployed by ada@example.org'],
    ['a key', started(2, 'API key Nightly'), 'Deployed by API key Nightly'],
    ['a push', started(2, 'platform'), 'Pushed'],
    ['the first', entry('application_created', 2), 'First deployment by ada@example.org'],
  ])('is told: %s', (_, begun, words) => {
    expect(why([deployment(2), deployment(1)], begun, started(1))).toBe(words);
  });

  it('of one commit that was deployed before, says that it is the same again', () => {
    expect(why([deployment(2, 'sha1'), deployment(1)], started(2))).toBe('Same commit again, by ada@example.org');
    expect(why([deployment(2, null), deployment(1, null)], started(2))).toBe('Deployed by ada@example.org');
  });

  it('says that variables were changed only where they were between the two', () => {
    const both = [deployment(5, 'sha1'), deployment(2, 'sha1')];
    const changed = (minute: number) => why(both, started(5), entry('environment_vars_updated', minute), started(2));
    expect(changed(3)).toBe('Same commit again, by ada@example.org, with changed variables');
    expect(changed(1)).toBe('Same commit again, by ada@example.org');
    expect(changed(6)).toBe('Same commit again, by ada@example.org');
    expect(why([deployment(5)], started(5), entry('environment_vars_updated', 3))).toBe('Deployed by ada@example.org');
  });

  it('is not guessed: an entry that names no deployment, or another one, says nothing', () => {
    expect(why([deployment(2)], entry('deployment_started', 2, { deployment_id: null }))).toBeNull();
    expect(why([deployment(2)], started(1))).toBeNull();
    expect(why([deployment(2)], entry('deployment_cancelled', 2))).toBeNull();
  });

  it('shows no mark in a name that turns the words around it', () => {
    expect(why([deployment(2)], started(2, 'API key \u202Eevil'))).toBe('Deployed by API key [U+202E]evil');
  });
});

const back = (minute: number, actor_email: string) =>
  entry('deployment_rolled_back', minute, { actor_email, deployment_id: 'dep_1' });

describe('who went back to it', () => {
  it('is the last who did', () => {
    expect(lastRollback(deployment(1), [back(5, 'grace@example.org'), back(3, 'ada@example.org'), started(1)])).toEqual(
      {
        text: 'Rollback by grace@example.org',
        at: timeAt(5, 1),
      },
    );
    expect(lastRollback(deployment(2), [back(5, 'grace@example.org')])).toBeNull();
  });
});
