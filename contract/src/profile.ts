import { z } from 'zod';
import { userProfile } from './account-shapes.ts';
import { message, name, password } from './common-shapes.ts';
import { endpoint } from './endpoint.ts';
import { forOneself } from './scopes.ts';

const currentPassword = z.string().min(1).max(256);
const code = z.string().min(1).max(64);
const recoveryCodes = z.object({
  recoveryCodes: z.array(z.string()).meta({ description: 'shown once; each works once' }),
});

export const profile = {
  'profile.update': endpoint({
    ...forOneself,
    method: 'PUT',
    path: '/api/profile',
    summary: 'Change your name',
    needsLiveSession: true,
    body: z.object({ firstName: name }),
    output: userProfile,
  }),
  'profile.password': endpoint({
    ...forOneself,
    method: 'PUT',
    path: '/api/profile/password',
    summary: 'Change your password',
    description: 'Every other session of yours is signed out.',
    needsLiveSession: true,
    body: z.object({ currentPassword, newPassword: password }),
    output: message,
    errors: ['CF001'],
  }),
  'profile.mfa.enrol': endpoint({
    ...forOneself,
    path: '/api/profile/mfa/enrol',
    summary: 'Begin enrolling a second factor',
    description: 'Nothing changes until the first code is confirmed.',
    needsLiveSession: true,
    body: z.object({ currentPassword }),
    output: z.object({ secret: z.string(), otpauthUrl: z.string() }),
    errors: ['CF001'],
  }),
  'profile.mfa.confirm': endpoint({
    ...forOneself,
    path: '/api/profile/mfa/confirm',
    summary: 'Confirm the second factor with its first code',
    needsLiveSession: true,
    body: z.object({ code }),
    output: recoveryCodes,
    errors: ['CF001'],
  }),
  'profile.mfa.recovery-codes': endpoint({
    ...forOneself,
    path: '/api/profile/mfa/recovery-codes',
    summary: 'Replace the recovery codes',
    needsLiveSession: true,
    body: z.object({ code }),
    output: recoveryCodes,
    errors: ['CF001'],
  }),
  'profile.mfa.disable': endpoint({
    ...forOneself,
    path: '/api/profile/mfa/disable',
    summary: 'Remove the second factor',
    needsLiveSession: true,
    body: z.object({ currentPassword, code }),
    output: message,
    errors: ['CF001'],
  }),
};
