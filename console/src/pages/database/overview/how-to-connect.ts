import type { DatabaseType } from '@lilac/contract/states';

interface ConnectionParts {
  host: string;
  port: string;
  user: string;
  password: string;
  database: string;
}

/** The parts of a connection string, as the fields of a client ask for them. */
export function connectionParts(connectionString: string): ConnectionParts {
  const { hostname, port, username, password, pathname } = new URL(connectionString);
  return {
    host: hostname.replace(/^\[(.*)\]$/, '$1'),
    port,
    user: decodeURIComponent(username),
    password: decodeURIComponent(password),
    database: decodeURIComponent(pathname.slice(1)),
  };
}

interface Way {
  name: string;
  code: string;
  hint?: string;
}

/** How to get in with what people have. None of them shows the password. */
export function waysToConnect(type: DatabaseType, connectionString: string): Way[] {
  return type === 'mysql' ? mysqlWays(connectionParts(connectionString)) : postgresqlWays(connectionString);
}

function postgresqlWays(connectionString: string): Way[] {
  const bare = new URL(connectionString);
  bare.password = '';
  const isEncrypted = bare.search !== '';
  return [
    { name: 'psql', code: `psql '${bare.href}'`, hint: 'It asks for the password.' },
    {
      name: 'Node.js',
      code: [
        "import pg from 'pg';",
        '',
        'const pool = new pg.Pool({',
        '  connectionString: process.env.DATABASE_URL,',
        '});',
        "const { rows } = await pool.query('select now()');",
      ].join('\n'),
      ...(isEncrypted && {
        hint: 'From outside, give it the string with sslmode=no-verify in place of sslmode=require: the certificate is the server’s own.',
      }),
    },
  ];
}

function mysqlWays({ host, port, user, database }: ConnectionParts): Way[] {
  return [
    {
      name: 'mariadb',
      code: `mariadb --ssl -h ${host} -P ${port} -u ${user} -p ${database}`,
      hint: 'It asks for the password. With the client of MySQL say --ssl-mode=REQUIRED instead of --ssl.',
    },
    {
      name: 'Node.js',
      code: [
        "import mysql from 'mysql2/promise';",
        '',
        'const pool = mysql.createPool(process.env.DATABASE_URL);',
        "const [rows] = await pool.query('select now()');",
      ].join('\n'),
    },
  ];
}
