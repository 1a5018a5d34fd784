import { z } from 'zod';
import { endpoint, readOnly } from './endpoint.ts';
import { timestamp } from './resources.ts';

export const health = {
  'health.get': endpoint({
    method: 'GET',
    path: '/api/health',
    summary: 'Tell whether the platform answers',
    credential: 'none',
    permission: null,
    organisation: null,
    status: 200,
    output: z.object({ status: z.literal('ok'), timestamp, uptime: z.number() }),
    cli: ['health'],
    mcp: readOnly,
  }),
};
