import { declarationOf, endpointNames } from '@lilac/contract/endpoints';

const entries = endpointNames.map((name) => {
  const { method, path, stream } = declarationOf(name);
  const pattern = path.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`).replaceAll(/:\w+/g, '[^/]+');
  // A stream has no end, so nobody can be told what it would answer.
  const methods = method === 'GET' && !stream ? ['GET', 'HEAD'] : [method];
  return { methods, pattern: new RegExp(`^${pattern}$`) };
});

/** The methods that the contract has at a path. Only asked when no route took the request. */
export function methodsAt(url: string): string[] {
  const path = url.split('?', 1)[0]!;
  return entries.filter(({ pattern }) => pattern.test(path)).flatMap(({ methods }) => methods);
}
