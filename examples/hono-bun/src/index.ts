import { Hono } from 'hono';

const app = new Hono();
app.get('/', (context) => context.text('Hello from Hono on Bun'));

export default { port: Number(process.env.PORT ?? 3000), fetch: app.fetch };
