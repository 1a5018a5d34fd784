import { describe, expect, it } from 'vitest';
import { presentForPeople } from './present.ts';

const present = (endpoint: Parameters<typeof presentForPeople>[0], answer: unknown) =>
  presentForPeople(endpoint, answer, new Date());

describe('presentForPeople', () => {
  const application = { id: 'app_1', deployment_type: 'static', memory: '512Mi', concurrency: 80, cpu: null };

  it('leaves out of an application what is not set, and of a static one what is for servers', () => {
    expect(present('applications.get', application)).toEqual({ id: 'app_1', deployment_type: 'static' });
    const server = { ...application, deployment_type: 'container' };
    expect(present('applications.get', server)).toMatchObject({ memory: '512Mi', concurrency: 80 });
    expect(present('applications.get', server)).not.toHaveProperty('cpu');
  });

  it('leaves out of one that was uploaded what is for repositories', () => {
    const uploaded = { ...application, source_type: 'upload', git_provider: 'provider1', is_private: false };
    expect(present('applications.get', uploaded)).not.toHaveProperty('git_provider');
    expect(present('applications.get', { ...uploaded, source_type: 'vcs' })).toHaveProperty('is_private', false);
  });

  it('shows of activity when, what and who', () => {
    const entry = { id: 'act_1', action: 'renamed', actor_email: 'ada@example.org', created_at: '2026-01-01' };
    expect(present('environments.activity', [entry])).toEqual([
      { at: '2026-01-01', action: 'renamed', by: 'ada@example.org' },
    ]);
  });

  it('shows of activity in an organisation also what it was about', () => {
    const entry = {
      id: 'act_1',
      action: 'renamed',
      subject: 'shop',
      actor_email: 'ada@example.org',
      created_at: 'now',
    };
    expect(present('organisations.activity', [{ ...entry, application_id: 'app_1', environment_id: null }])).toEqual([
      { at: 'now', action: 'renamed', what: 'shop', by: 'ada@example.org' },
    ]);
  });

  it('shows of a deployment the commit and why it failed', () => {
    const deployment = {
      id: 'dep_1',
      environment_id: 'env_1',
      status: 'failed',
      deployment_stage: 'building',
      commit_sha: '0123456789abcdef0123456789abcdef01234567',
      commit_message: 'Add a page\n\nwith words',
      error: 'The build ended with 1.',
    };
    expect(present('deployments.list', [deployment])).toMatchObject([
      { stage: 'building', commit: '0123456 Add a page', error: 'The build ended with 1.' },
    ]);
    const uploaded = { ...deployment, status: 'healthy', deployment_stage: 'released', commit_sha: null };
    expect(present('deployments.list', [{ ...uploaded, commit_message: null }])).toMatchObject([
      { commit: null, stage: null },
    ]);
  });
});

describe('what was deployed last', () => {
  it('is one line in a list of applications', () => {
    const last = { status: 'failed', commit_sha: '0123456789abcdef', commit_message: 'Add a page\n\nmore' };
    const page = { items: [{ id: 'app_1', last_deployment: last, production_environment_id: 'env_1' }], totalItems: 1 };
    expect(present('applications.list', page)).toEqual({
      items: [{ id: 'app_1', last_deployment: 'failed 0123456 Add a page' }],
      totalItems: 1,
    });
    const none = { items: [{ id: 'app_1', last_deployment: null, production_environment_id: null }] };
    expect(present('applications.list', none)).toEqual({ items: [{ id: 'app_1', last_deployment: null }] });
  });

  it('shows when each of its stages began', () => {
    const stages = [{ stage: 'queued', started_at: '2026-01-02T03:04:05.678Z' }];
    expect(present('deployments.get', { id: 'dep_1', error: null, stages })).toEqual({
      id: 'dep_1',
      stages: ['queued 03:04:05'],
    });
    expect(present('deployments.get', { id: 'dep_1', stages: [] })).toEqual({ id: 'dep_1' });
  });
});
