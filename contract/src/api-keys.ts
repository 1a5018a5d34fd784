import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { keyRoles } from './permissions.ts';
import { apiKey, id, name, organisationFields, timestamp } from './resources.ts';

/** A key can never manage keys: these take a signed-in person. */
const forPeople = {
  method: 'POST',
  credential: 'session',
  organisation: 'body.targetOrganisationId',
  mcp: null,
} as const;

export const apiKeys = {
  'api-keys.list': endpoint({
    ...forPeople,
    path: '/api/api-keys',
    summary: 'List API keys, newest first',
    permission: 'read:organisations',
    body: z.object(organisationFields),
    status: 200,
    output: z.array(apiKey),
    cli: ['keys', 'list'],
  }),
  'api-keys.create': endpoint({
    ...forPeople,
    path: '/api/api-keys/create',
    summary: 'Create an API key; its secret is shown once',
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
    ...forPeople,
    path: '/api/api-keys/revoke',
    summary: 'Revoke an API key',
    permission: 'update:organisations',
    body: z.object({ ...organisationFields, keyId: id }),
    status: 200,
    output: z.object({ revoked: z.literal(true) }),
    cli: ['keys', 'revoke'],
    errors: ['NF001'],
  }),
};
