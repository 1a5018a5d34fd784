const MAX_SLUG_LENGTH = 40;

/** `Café du Nord` → `cafe-du-nord`. What leaves nothing behind (a name in another script) becomes `organisation`. */
export function slugOf(name: string): string {
  const slug = name
    .normalize('NFKD')
    .replace(/\p{Mark}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, MAX_SLUG_LENGTH)
    .replace(/^-+|-+$/g, '');
  return slug || 'organisation';
}
