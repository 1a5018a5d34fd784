import type { AccessRule } from '../access-rules.ts';

/** The platform's own account: superuser, without a password, through the socket only. */
export const PLATFORM_ROLE = 'lilac';
/** What a dump reads with: it comes as the platform does, and may read everything and do nothing else. */
export const READER_ROLE = 'lilac_reader';
/** What the explorer reads with: whatever the owner of the database can. It can end no session, be it one of its own. */
export const EXPLORER_ROLE = 'lilac_explorer';
/** What a standby follows the primary with. */
export const REPLICATION_ROLE = 'lilac_replication';

/** They come by the kernel's word. */
export const OWN_ROLES = [PLATFORM_ROLE, READER_ROLE, EXPLORER_ROLE] as const;

const IDENTITY_MAP = 'platform';

/** `pg_hba.conf`: the first line that fits decides. */
export function accessFile(rules: readonly AccessRule[]): string {
  const lines = [
    ['local', 'all', OWN_ROLES.join(','), 'peer', `map=${IDENTITY_MAP}`],
    ['local', 'all', REPLICATION_ROLE, 'reject'],
    ['local', 'all', 'all', 'scram-sha-256'],
    // Standbys are on this machine.
    ['host', 'replication', REPLICATION_ROLE, '127.0.0.1/32', 'scram-sha-256'],
    ['host', 'all', [...OWN_ROLES, REPLICATION_ROLE].join(','), 'all', 'reject'],
    ...rules.map(({ network, encrypted, admits }) => [
      encrypted ? 'hostssl' : 'host',
      'all',
      'all',
      network,
      admits ? 'scram-sha-256' : 'reject',
    ]),
  ];
  return lines.map((fields) => `${fields.join(' ')}\n`).join('');
}

/** `pg_ident.conf`: which user of the operating system is the platform, by the kernel's word. */
export function identityFile(systemUser: string): string {
  return OWN_ROLES.map((role) => `${IDENTITY_MAP} "${systemUser.replaceAll('"', '""')}" ${role}\n`).join('');
}
