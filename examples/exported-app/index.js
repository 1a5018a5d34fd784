import { Hono } from 'hono';

const app = new Hono();
app.get('/', (context) => context.text('Hello from an export'));
app.post('/', async (context) => context.text(`You said: ${await context.req.text()}`));

export default app;
