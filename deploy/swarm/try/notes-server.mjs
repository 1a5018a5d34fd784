/** Keeps notes in the PostgreSQL that it is linked to: `/` answers them, one a line, and `?add=` notes something first. */
import { createServer } from 'node:http';
import pg from 'pg';

const server = createServer(({ url }, response) => {
  const added = new URL(url, 'http://notes').searchParams.get('add');
  inDatabase((client) => keep(client, added)).then(
    (notes) => response.end(notes),
    (error) => response.writeHead(500).end(error.message),
  );
});
server.listen(process.env.PORT, '0.0.0.0');
process.on('SIGTERM', () => server.close(() => process.exit(0)));

async function keep(client, added) {
  await client.query('create table if not exists notes (id serial primary key, text text)');
  if (added !== null) await client.query('insert into notes (text) values ($1)', [added]);
  const { rows } = await client.query('select text from notes order by id');
  return rows.map(({ text }) => text).join('\n');
}

async function inDatabase(act) {
  const client = new pg.Client({ connectionString: process.env.DATABASE_URL, connectionTimeoutMillis: 5000 });
  client.on('error', () => {});
  try {
    await client.connect();
    return await act(client);
  } finally {
    await client.end().catch(() => {});
  }
}
