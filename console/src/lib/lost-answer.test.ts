import { ApiError } from '@lilac/contract/client';
import type { EndpointName } from '@lilac/contract/endpoints';
import { describe, expect, it } from 'vitest';
import { isChanging, isAnswerLost } from './lost-answer.ts';

const answered = (status: number, code: string) =>
  new ApiError({ status, code, message: '', errorId: null, retryAfterSeconds: null });

describe('a call', () => {
  it.each<EndpointName>([
    'api-keys.create',
    'databases.rotate-password',
    'databases.explorer.row',
    'environments.deploy',
    'applications.create',
    'organisations.invite',
    'profile.password',
    'projects.delete',
    'vcs-app.uninstall',
  ])('%s may leave something changed', (name) => expect(isChanging(name)).toBe(true));

  it.each<EndpointName>([
    'api-keys.list',
    'applications.list',
    'auth.profile',
    'databases.connection-string',
    'databases.get',
    'organisations.members',
    'upload.request-url',
  ])('%s does not', (name) => expect(isChanging(name)).toBe(false));

  it('of a statement does where it may write, and of a question where it is answered', () => {
    expect([true, false].map((readOnly) => isChanging('databases.explorer.query', { readOnly }))).toEqual([
      false,
      true,
    ]);
    expect([true, false].map((confirm) => isChanging('vcs-app.confirm', { confirm }))).toEqual([true, false]);
  });
});

it('what the platform said itself is an answer; what stands before it says that there is none', () => {
  expect([new TypeError('fetch failed'), new SyntaxError('cut'), answered(504, 'HTTP504')].map(isAnswerLost)).toEqual([
    true,
    true,
    true,
  ]);
  expect([answered(502, 'SV002'), answered(503, 'HTTP503'), answered(409, 'CF001')].map(isAnswerLost)).toEqual([
    false,
    false,
    false,
  ]);
});
