import { createServer } from 'node:http';

const server = createServer((request, response) => {
  response.setHeader('content-type', 'text/plain');
  response.end(`Hello from Node at ${request.url}`);
});
server.listen(Number(process.env.PORT ?? 3000));

// Whoever is being answered is answered; nobody else is let in.
process.on('SIGTERM', () => server.close());
