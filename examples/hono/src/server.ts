import { serve } from '@hono/node-server';
import { Hono } from 'hono';

const app = new Hono();
app.get('/', (context) => context.text('Hello from Hono'));

serve({ fetch: app.fetch, port: Number(process.env.PORT ?? 3000) });
