import { z } from 'zod';
import { timestamp } from './common-shapes.ts';
import { endpoint, readOnly } from './endpoint.ts';

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
