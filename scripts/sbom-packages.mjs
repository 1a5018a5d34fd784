/**
 * A bill of materials without what only tests and checks use, by what the lock file says of each package. npm's own
 * `--omit dev` leaves out every package that development needs as well.
 */
export function withoutDevelopment(bill, { packages }) {
  const needed = new Set(
    Object.entries(packages)
      .filter(([path, { dev, link }]) => path !== '' && !dev && !link)
      .map(([path, { version }]) => `${nameAt(path)}@${version}`),
  );
  const components = bill.components.filter(({ name, version }) => needed.has(`${name}@${version}`));
  const kept = new Set([bill.metadata.component['bom-ref'], ...components.map((component) => component['bom-ref'])]);
  const dependencies = bill.dependencies
    .filter(({ ref }) => kept.has(ref))
    .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter((other) => kept.has(other)) }));
  return { ...bill, components, dependencies };
}

/** `node_modules/a/node_modules/@b/c` is a place of `@b/c`. A workspace is listed by its folder. */
const nameAt = (path) => path.split('node_modules/').at(-1);
