/** What MySQL 8 gives every table, and MariaDB does not know. */
const OF_MYSQL = /\butf8mb4_(?:\w+?_)?0900_(ai_ci|as_ci|as_cs|bin)\b/gi;

/** The same text with orders of letters that MariaDB has, from the closest to one that every version knows. */
export function withKnownCollations(text: string): string[] {
  const newer = text.replaceAll(OF_MYSQL, (_all, kind: string) =>
    kind.toLowerCase() === 'bin' ? 'utf8mb4_nopad_bin' : `utf8mb4_uca1400_${kind.toLowerCase()}`,
  );
  const older = text.replaceAll(OF_MYSQL, (_all, kind: string) =>
    kind.toLowerCase() === 'ai_ci' ? 'utf8mb4_unicode_520_ci' : 'utf8mb4_bin',
  );
  return newer === text ? [] : [newer, older];
}
