import { createServer } from 'node:http';

const page = `<!doctype html>
<title>The time</title>
<h1 id="now">…</h1>
<script>
  new EventSource('/events').onmessage = ({ data }) => (document.getElementById('now').textContent = data);
</script>
`;

const server = createServer((request, response) => {
  if (request.url !== '/events') return response.setHeader('content-type', 'text/html').end(page);
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' });
  let id = 0;
  const send = () => response.write(`id: ${++id}\ndata: ${new Date().toISOString()}\n\n`);
  send();
  const timer = setInterval(send, 1000);
  response.on('close', () => clearInterval(timer));
});
server.listen(Number(process.env.PORT ?? 3000));
