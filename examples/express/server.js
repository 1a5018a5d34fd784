import express from 'express';

const app = express();
app.get('/', (request, response) => response.send('Hello from Express'));
app.listen(process.env.PORT ?? 3000, '0.0.0.0');
