import { createPrivateKey } from 'node:crypto';
import type { GitProvider } from '@lilac/contract/states';
import { z } from 'zod';
import { invalid } from '../../../lib/fault.ts';
import type { AppSettings, OAuthSettings } from '../../../vcs/vcs-host.ts';

/** How the platform is known to each host. */
export interface HostSettings {
  provider1: AppSettings;
  provider2: OAuthSettings;
  provider3: OAuthSettings;
}

const line = (longest: number) =>
  z
    .string()
    .trim()
    .min(1)
    .max(longest)
    .regex(/^[\x21-\x7e]+$/, 'must be one word');

const oauth = z.strictObject({ clientId: line(200), clientSecret: line(500) });
const app = oauth.extend({
  appId: z.int().min(1),
  // It becomes a part of addresses at the host.
  slug: line(100).regex(/^[\w-]+$/, 'must be as in the address of its page'),
  privateKey: z
    .string()
    .max(20_000)
    .refine(isPrivateRsaKey, 'must be an RSA key as PEM, as the host gave it for download, without a passphrase')
    .transform((pem) => `${pem.trim()}\n`),
  webhookSecret: line(500),
});

const schemas: { [P in GitProvider]: z.ZodType<HostSettings[P]> } = {
  provider1: app,
  provider2: oauth,
  provider3: oauth,
};

/** What an operator gave, whole and of the right form; else a `Fault` that says what is wrong, and never a value. */
export function readHostSettings<P extends GitProvider>(provider: P, given: unknown): HostSettings[P] {
  const result = schemas[provider].safeParse(given);
  if (result.success) return result.data;
  const { issues } = result.error;
  const missing = issues.filter((issue) => isAbsent(given, issue.path)).map(nameOf);
  if (missing.length > 0)
    throw invalid(
      `The settings of ${provider} are incomplete: ${missing.join(', ')} ${missing.length === 1 ? 'is' : 'are'} missing.`,
    );
  throw invalid(`The settings of ${provider} cannot be used: ${issues.map(describe).join('; ')}.`);
}

function isPrivateRsaKey(pem: string): boolean {
  try {
    return createPrivateKey(pem).asymmetricKeyType === 'rsa';
  } catch {
    return false;
  }
}

type Issue = z.core.$ZodIssue;

const nameOf = ({ path }: Issue): string => path.join('.');

function isAbsent(given: unknown, [name]: readonly PropertyKey[]): boolean {
  if (typeof given !== 'object' || given === null || name === undefined) return false;
  return (given as Record<PropertyKey, unknown>)[name] === undefined;
}

/** zod's own words, which name types and bounds. */
function describe(issue: Issue): string {
  if (issue.code === 'unrecognized_keys') return `it has no ${issue.keys.join(', ')}`;
  const name = nameOf(issue);
  return name ? `${name} ${issue.message.replace(/^Invalid input: /, '')}` : 'they must be one JSON object';
}
