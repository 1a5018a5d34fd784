/**
 * Every column that holds sealed values. `SealedPlace` is made from this list, so sealing into a
 * column that is not here does not compile, and a key rotation reaches all of them.
 */
export const sealedColumns = [
  // `row`: the column whose value names the row in the value's place.
  { table: 'platform_secrets', column: 'sealed', row: 'name' },
  { table: 'users', column: 'totp_secret', row: 'id' },
  { table: 'environments', column: 'variables', row: 'id' },
  { table: 'deployments', column: 'variables', row: 'id' },
  { table: 'databases', column: 'admin_password', row: 'id' },
  { table: 'databases', column: 'next_password', row: 'id' },
  { table: 'vcs_hosts', column: 'settings', row: 'provider' },
  { table: 'vcs_connections', column: 'tokens', row: 'id' },
  { table: 'vcs_attempts', column: 'found', row: 'id' },
  { table: 'certificates', column: 'private_key', row: 'id' },
  { table: 'certificates', column: 'order_key', row: 'id' },
  { table: 'acme_accounts', column: 'account_key', row: 'id' },
  { table: 'local_authority', column: 'private_key', row: 'id' },
] as const satisfies readonly { table: string; column: string; row: string }[];

export type SealedColumn = (typeof sealedColumns)[number];
