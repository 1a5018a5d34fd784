import type { Files } from './deploying.ts';

/**
 * A server that keeps notes in the databases it is linked to, by the clients that npm brings: `/postgresql` and
 * `/mysql` answer what is noted there, one a line, and `?add=` notes something first.
 */
export function notesApp(): Files {
  return {
    'package.json': JSON.stringify({
      name: 'notes',
      version: '1.0.0',
      private: true,
      scripts: { start: 'node server.js' },
      dependencies: { pg: '8.23.1', mysql2: '3.24.5' },
    }),
    'server.js': SOURCE,
  };
}

const SOURCE = `
const { createServer } = require('node:http');
const pg = require('pg');
const mysql = require('mysql2/promise');

async function notesInPostgresql(text) {
  const client = new pg.Client({ connectionString: process.env.DATABASE_URL, connectionTimeoutMillis: 5000 });
  client.on('error', () => {});
  try {
    await client.connect();
    await client.query('create table if not exists notes (id serial primary key, text varchar(200))');
    if (text !== null) await client.query('insert into notes (text) values ($1)', [text]);
    return (await client.query('select text from notes order by id')).rows;
  } finally {
    await client.end().catch(() => {});
  }
}

async function notesInMysql(text) {
  const client = await mysql.createConnection({ uri: process.env.MYSQL_URL, connectTimeout: 5000 });
  client.on('error', () => {});
  try {
    await client.query('create table if not exists notes (id int auto_increment primary key, text varchar(200))');
    if (text !== null) await client.query('insert into notes (text) values (?)', [text]);
    return (await client.query('select text from notes order by id'))[0];
  } finally {
    await client.end().catch(() => {});
  }
}

const read = { '/postgresql': notesInPostgresql, '/mysql': notesInMysql };

createServer(async (request, response) => {
  const { pathname, searchParams } = new URL(request.url, 'http://notes');
  if (!read[pathname]) return response.end('notes');
  try {
    const rows = await read[pathname](searchParams.get('add'));
    response.end(rows.map(({ text }) => text).join('\\n'));
  } catch (error) {
    response.statusCode = 500;
    response.end(String(error.message));
  }
}).listen(process.env.PORT);
`;
