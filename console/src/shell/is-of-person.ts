const paths: readonly string[] = ['/account', '/organisations/new'];

/** A page that is the same whatever organisation one works in, and loses nothing where that changes. */
export function isOfPerson(path: string): boolean {
  return paths.includes(path);
}
