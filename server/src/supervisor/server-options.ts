import { parseArgs } from 'node:util';
import type { Config } from '../config.ts';
import { roleNames, type RoleName } from './role-messages.ts';
import { StartRefused } from './start-refused.ts';

export interface ServerOptions {
  roles: ReadonlySet<RoleName>;
  /** Whether the embedded PostgreSQL runs here. */
  embeddedStore: boolean;
  /** Restart the roles when the server's source changes. */
  watch: boolean;
}

export const serverUsage = `Usage: lilac server [options]

Runs the platform until Ctrl-C. Settings are environment variables: docs/reference/configuration.md.

Options
  --roles LIST  which of ${[...roleNames, 'store'].join(', ')} to run here, separated by commas (default: all)
  --watch       restart the roles when the server's files change
  -h, --help    show this
`;

export function wantsHelp(argv: readonly string[]): boolean {
  return argv.includes('--help') || argv.includes('-h');
}

export function readServerOptions(argv: readonly string[], config: Pick<Config, 'databaseUrl'>): ServerOptions {
  const { roles, watch } = parse(argv);
  const wanted = new Set(roles.split(',').map((name) => name.trim()));
  const known = [...roleNames, 'store'];
  const unknown = [...wanted].filter((name) => !known.includes(name));
  if (unknown.length > 0) throw new StartRefused(`There is no role "${unknown[0]}". Roles are ${known.join(', ')}.`);
  const hasStore = wanted.delete('store');
  const needsStore = wanted.has('api') || wanted.has('worker');
  if (needsStore && !hasStore && !config.databaseUrl) {
    throw new StartRefused(
      'The roles api and worker need a store: add store to --roles, or set LILAC_DATABASE_URL to a PostgreSQL.',
    );
  }
  return { roles: wanted as Set<RoleName>, embeddedStore: hasStore && !config.databaseUrl, watch };
}

function parse(argv: readonly string[]): { roles: string; watch: boolean } {
  try {
    const { values } = parseArgs({
      args: [...argv],
      options: {
        roles: { type: 'string', default: [...roleNames, 'store'].join(',') },
        watch: { type: 'boolean', default: false },
      },
    });
    return values;
  } catch (error) {
    throw new StartRefused(`${(error as Error).message} Usage: lilac server [--roles api,worker,edge,store] [--watch]`);
  }
}
