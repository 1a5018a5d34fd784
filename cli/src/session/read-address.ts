import { UsageError } from '../frame/usage-error.ts';

/** The address of a platform in the one form that can be compared: no path, no slash at the end. */
export function readAddress(text: string, where: string): string {
  const url = URL.parse(text.trim());
  const isPlain = url && /^https?:$/.test(url.protocol) && url.pathname === '/' && !url.search && !url.hash;
  if (isPlain && !url.username && !url.password) return url.origin;
  throw new UsageError(`${where} must be like https://lilac.example.org, not "${text}".`);
}
