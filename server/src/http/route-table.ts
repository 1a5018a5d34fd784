import { declarationOf, endpointNames } from '@lilac/contract/endpoints';

const entries = endpointNames.map((name) => {
  const { method, path } = declarationOf(name);
  const pattern = path.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`).replaceAll(/:\w+/g, '[^/]+');
  return { method, pattern: new RegExp(`^${pattern}$`) };
});

/** The methods that the contract has at a path. Only asked when no route took the request. */
export function methodsAt(url: string): string[] {
  const path = url.split('?', 1)[0]!;
  const methods = entries.filter(({ pattern }) => pattern.test(path)).map(({ method }) => method as string);
  return methods.includes('GET') ? [...methods, 'HEAD'] : methods;
}
