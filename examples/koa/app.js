import Koa from 'koa';

const app = new Koa();
app.use((context) => {
  context.body = 'Hello from Koa';
});
app.listen(process.env.PORT ?? 3000);
