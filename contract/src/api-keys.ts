import { z } from 'zod';
import { id, name, organisationFields, timestamp } from './common-shapes.ts';
import { endpoint } from './endpoint.ts';
import { apiKey } from './organisation-shapes.ts';
import { keyRoles } from './permissions.ts';
import { forMembers } from './scopes.ts';

export const apiKeys = {
  'api-keys.list': endpoint({
    ...forMembers,
    path: '/api/api-keys',
    summary: 'List API keys, newest first',
    permission: 'read:organisations',
    body: z.object(organisationFields),
    output: z.array(apiKey),
    cli: ['keys', 'list'],
  }),
  'api-keys.create': endpoint({
    ...forMembers,
    path: '/api/api-keys/create',
    summary: 'Create an API key; its secret is shown once',
    needsLiveSession: true,
    permission: 'update:organisations',
    planFeature: 'apiKeys',
    body: z.object({
      ...organisationFields,
      name,
      role: z.enum(keyRoles).default('user'),
      expiresAt: timestamp.optional().meta({ description: 'in the future; omit for no expiry' }),
    }),
    status: 201,
    output: apiKey
      .pick({ id: true, name: true, prefix: true, role: true, expires_at: true, created_at: true })
      .extend({ secret: z.string().meta({ description: 'never readable again' }) }),
    cli: ['keys', 'create'],
  }),
  'api-keys.revoke': endpoint({
    ...forMembers,
    path: '/api/api-keys/revoke',
    summary: 'Revoke an API key',
    needsLiveSession: true,
    permission: 'update:organisations',
    body: z.object({ ...organisationFields, keyId: id }),
    output: z.object({ revoked: z.literal(true) }),
    cli: ['keys', 'revoke'],
    errors: ['NF001'],
  }),
};
