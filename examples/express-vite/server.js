import express from 'express';

// A server that also has pages to build: the server is what is deployed.
const app = express();
app.get('/api/now', (request, response) => response.json({ now: new Date() }));
app.use(express.static('dist'));
app.listen(process.env.PORT ?? 3000);
