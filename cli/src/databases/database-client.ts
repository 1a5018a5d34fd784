/** How a database's own client is started. What is secret is in its environment, never in its arguments. */
export interface DatabaseClient {
  /** Any of them will do. */
  programs: readonly { name: string; args: readonly string[] }[];
  environment: Record<string, string>;
  /** What to install where there is none. */
  install: string;
}

/** The parts of the address that the platform gives. */
export function databaseClient(connectionString: string): DatabaseClient {
  const url = new URL(connectionString);
  return url.protocol.startsWith('postgres') ? psql(url) : mariadb(url);
}

function psql(url: URL): DatabaseClient {
  const sslMode = url.searchParams.get('sslmode');
  return {
    programs: [{ name: 'psql', args: [] }],
    environment: {
      PGHOST: hostOf(url),
      PGPORT: url.port || '5432',
      PGUSER: decodeURIComponent(url.username),
      PGPASSWORD: decodeURIComponent(url.password),
      PGDATABASE: databaseOf(url),
      ...(sslMode && { PGSSLMODE: sslMode }),
    },
    install: 'apt install postgresql-client, brew install libpq, or https://www.postgresql.org/download',
  };
}

/** The clients of MySQL and MariaDB ask for encryption in different words; the certificate is the server's own. */
function mariadb(url: URL): DatabaseClient {
  const isEncrypted = url.searchParams.has('ssl');
  const common = ['--protocol=tcp', `--host=${hostOf(url)}`, `--port=${url.port || '3306'}`];
  const who = [`--user=${decodeURIComponent(url.username)}`, `--database=${databaseOf(url)}`];
  const args = [...common, ...who];
  return {
    programs: [
      { name: 'mariadb', args: [...args, ...(isEncrypted ? ['--ssl', '--skip-ssl-verify-server-cert'] : [])] },
      { name: 'mysql', args: [...args, ...(isEncrypted ? ['--ssl-mode=REQUIRED'] : [])] },
    ],
    environment: { MYSQL_PWD: decodeURIComponent(url.password) },
    install: 'apt install mariadb-client, or brew install mariadb-connector-c mariadb',
  };
}

const hostOf = ({ hostname }: URL) => hostname.replace(/^\[(.*)\]$/, '$1');
const databaseOf = ({ pathname }: URL) => decodeURIComponent(pathname.slice(1));
