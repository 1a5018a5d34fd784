const { createServer } = require('node:http');

// Whatever PORT says: the platform looks where it listens.
createServer((request, response) => response.end('Hello from a port of its own')).listen(4321);
