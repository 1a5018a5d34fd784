/** What people recognise of a backup's tables: `People: 3, organisations: 1, applications: 12.` */
export function summariseRows(rows: Readonly<Record<string, number>>): string {
  const count = (table: string) => rows[table] ?? 0;
  return `People: ${count('users')}, organisations: ${count('organisations')}, applications: ${count('applications')}.`;
}
