import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Settings of a session; null: as the server has it. */
export type SessionSettings = Readonly<Record<string, string | null>>;

/** What a customer has set for himself to be protected from himself: it does not count for what we do as him. */
export const OWNER_SETTINGS = {
  lock_timeout: '0',
  transaction_timeout: '0',
  idle_session_timeout: '0',
  idle_in_transaction_session_timeout: '0',
  // Whoever names a library there that does not exist shuts everybody out.
  local_preload_libraries: '',
} satisfies SessionSettings;

/**
 * A customer may set anything for his database that concerns himself; for the platform it does not count.
 */
export const PLATFORM_SETTINGS = {
  ...OWNER_SETTINGS,
  role: 'none',
  search_path: 'pg_catalog',
  statement_timeout: '0',
  default_transaction_read_only: 'off',
  default_transaction_isolation: 'read committed',
  default_transaction_deferrable: 'off',
  synchronous_commit: 'on',
  standard_conforming_strings: 'on',
} satisfies SessionSettings;

/** Whatever of a customer's runs there all the same can change nothing. */
export const READER_SETTINGS = {
  ...PLATFORM_SETTINGS,
  default_transaction_read_only: 'on',
} satisfies SessionSettings;

/** An owner may hold what is to be changed in a transaction that he never ends. */
export const WAITS_FOR_NOBODY = { lock_timeout: '5s' } satisfies SessionSettings;

/** A server refuses a session with a setting that it does not know. */
const FIRST_SERIES: Readonly<Record<string, number>> = { transaction_timeout: 17 };

/** What a client sends as `options`: it counts from the beginning, before what is set for the database. */
export function sessionOptions(home: string, settings: SessionSettings): string {
  const series = seriesOf(home);
  return Object.entries(settings)
    .flatMap(([name, value]) =>
      value === null || series < (FIRST_SERIES[name] ?? 0)
        ? []
        : `-c ${name}=${value.replaceAll(/[\\ ]/g, String.raw`\$&`)}`,
    )
    .join(' ');
}

/** Whose files these are. */
function seriesOf(home: string): number {
  return Number.parseInt(readFileSync(join(home, 'PG_VERSION'), 'utf8'), 10);
}
