/**
 * Keeps notes in the PostgreSQL that it is linked to: `/` answers them, one a line, and `?add=` notes something first.
 * It has one connection for all of its life, which `/session` names: where that ended, another name is answered.
 */
import { createServer } from 'node:http';
import pg from 'pg';

const WITHIN_MS = 5000;
let session;

const server = createServer(({ url }, response) => {
  const { pathname, searchParams } = new URL(url, 'http://notes');
  const answer = pathname === '/session' ? nameOfSession() : keep(searchParams.get('add'));
  answer.then(
    (text) => response.end(text),
    (error) => response.writeHead(500).end(error.message),
  );
});
server.listen(process.env.PORT, '0.0.0.0');
process.on('SIGTERM', () => server.close(() => process.exit(0)));

async function keep(added) {
  await ask('create table if not exists notes (id serial primary key, text text)');
  if (added !== null) await ask('insert into notes (text) values ($1)', [added]);
  const rows = await ask('select text from notes order by id');
  return rows.map(({ text }) => text).join('\n');
}

async function nameOfSession() {
  const [row] = await ask(
    'select pid, backend_start::text as since from pg_stat_activity where pid = pg_backend_pid()',
  );
  return `${row.pid} since ${row.since}`;
}

/** After a failure the next one is asked on a new connection. */
async function ask(text, values) {
  const mine = (session ??= connect());
  try {
    const client = await mine;
    return (await client.query(text, values)).rows;
  } catch (error) {
    mine.then((client) => client.connection.stream.destroy()).catch(() => {});
    if (session === mine) session = undefined;
    throw error;
  }
}

async function connect() {
  const client = new pg.Client({
    connectionString: process.env.DATABASE_URL,
    connectionTimeoutMillis: WITHIN_MS,
    query_timeout: WITHIN_MS,
  });
  // Whoever asks next is told.
  client.on('error', () => {});
  await client.connect();
  return client;
}
