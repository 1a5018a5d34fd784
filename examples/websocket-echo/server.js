import { createServer } from 'node:http';
import { WebSocketServer } from 'ws';

const server = createServer((request, response) => response.end('Hello from an echo'));
const sockets = new WebSocketServer({ server });
sockets.on('connection', (socket) => {
  socket.on('message', (data, isBinary) => socket.send(data, { binary: isBinary }));
});
server.listen(Number(process.env.PORT ?? 3000));

process.on('SIGTERM', () => {
  for (const socket of sockets.clients) socket.close(1001, 'stopping');
  server.close();
});
