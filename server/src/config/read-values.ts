import { isIP } from 'node:net';
import { resolve } from 'node:path';
import { featureFlags, type FeatureFlag } from '@lilac/contract/endpoint';
import type { SettingName } from './settings.ts';

export const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'silent'] as const;
export type LogLevel = (typeof logLevels)[number];

/** A setting that cannot be used; the message names it and says what would be right. */
export class ConfigError extends Error {}

export function readNumber(name: SettingName, value: string, { min, max }: { min: number; max: number }): number {
  const number = Number(value);
  if (!/^\d+$/.test(value) || number < min || number > max) {
    throw new ConfigError(`${name} must be a whole number from ${min} to ${max}, not "${value}".`);
  }
  return number;
}

export function readPortRange(name: SettingName, value: string): { first: number; last: number } {
  const [, first, last] = /^(\d{1,5})-(\d{1,5})$/.exec(value)?.map(Number) ?? [];
  if (!first || !last || first < 1024 || last > 65_535 || last - first < 9) {
    throw new ConfigError(
      `${name} must be a range of at least ten ports above 1023, like 15000-15999, not "${value}".`,
    );
  }
  return { first, last };
}

export function readRange(value: string): string {
  const [address = '', bits = '0'] = value.split('/');
  if (isIP(address) === 0 || !/^\d{1,3}$/.test(bits) || Number(bits) > (isIP(address) === 4 ? 32 : 128)) {
    throw new ConfigError(`LILAC_VCS_PRIVATE_ADDRESSES holds "${value}"; a range is like 10.0.0.0/8.`);
  }
  return value;
}

export function readAddress(value: string): string {
  if (isIP(value) === 0) {
    throw new ConfigError(
      `LILAC_PUBLIC_ADDRESSES holds "${value}"; write addresses such as 203.0.113.7 or 2001:db8::7.`,
    );
  }
  return value.toLowerCase();
}

/** An address with or without a port, as the resolver takes it. */
export function readDnsServer(value: string): string {
  const [, bracketed, plain, port] = /^(?:\[([^\]]+)\]|([^:]+))(?::(\d{1,5}))?$/.exec(value) ?? [];
  const isRight = isIP(value) !== 0 || (isIP(bracketed ?? plain ?? '') !== 0 && Number(port ?? 53) <= 65_535);
  if (!isRight)
    throw new ConfigError(`LILAC_DNS_SERVERS holds "${value}"; write addresses such as 192.0.2.1 or 192.0.2.1:5353.`);
  return value;
}

export function readHostUrl(name: SettingName, value: string): URL {
  const url = URL.parse(value);
  if (!url || !['http:', 'https:'].includes(url.protocol) || url.search || url.hash || url.username) {
    throw new ConfigError(`${name} must be like https://git.example.org, not "${value}".`);
  }
  url.pathname = url.pathname.replace(/\/+$/, '');
  return url;
}

export function readPublicUrl(value: string): URL {
  const url = URL.parse(value);
  if (!url || !['http:', 'https:'].includes(url.protocol) || url.pathname !== '/' || url.search || url.username) {
    throw new ConfigError(`LILAC_PUBLIC_URL must be like https://lilac.example.org, without a path, not "${value}".`);
  }
  return url;
}

export function readDomain(value: string): string {
  const label = '[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?';
  if (!new RegExp(`^${label}(\\.${label})*$`, 'i').test(value)) {
    throw new ConfigError(`LILAC_APPS_DOMAIN must be a domain name such as apps.example.org, not "${value}".`);
  }
  return value.toLowerCase();
}

export function readOrigin(value: string): string {
  const url = URL.parse(value);
  if (!url || url.origin === 'null' || url.pathname !== '/') {
    throw new ConfigError(`LILAC_ALLOWED_ORIGINS holds "${value}"; an origin is like https://tools.example.org.`);
  }
  return url.origin;
}

export function readSwitches(values: readonly string[]): Partial<Record<FeatureFlag, boolean>> {
  const switches: Partial<Record<FeatureFlag, boolean>> = {};
  for (const value of values) {
    const [flag, state] = value.split('=') as [FeatureFlag, string | undefined];
    if (!featureFlags.includes(flag) || (state !== 'on' && state !== 'off')) {
      throw new ConfigError(
        `LILAC_FEATURE_FLAGS holds "${value}"; write <flag>=on or <flag>=off, with one of ${featureFlags.join(', ')}.`,
      );
    }
    switches[flag] = state === 'on';
  }
  return switches;
}

export function readLogLevel(value: string): LogLevel {
  if (!(logLevels as readonly string[]).includes(value)) {
    throw new ConfigError(`LILAC_LOG_LEVEL must be one of ${logLevels.join(', ')}, not "${value}".`);
  }
  return value as LogLevel;
}

export function readList(value: string | undefined): string[] {
  return (value ?? '')
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean);
}

/** Whole, whatever folder is the current one; null where none is given. */
export function readPath(value: string | undefined): string | null {
  return value === undefined ? null : resolve(value);
}

/** A secret that others send us. Never repeated in what is complained of. */
export function readToken(name: SettingName, value: string | undefined): string | null {
  if (value === undefined) return null;
  if (!/^[\x21-\x7e]{16,512}$/.test(value)) {
    throw new ConfigError(`${name} must have 16 to 512 characters, none of them a space: try "openssl rand -hex 24".`);
  }
  return value;
}

const unitMs = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 } as const;

/** In milliseconds: `500ms`, `30s`, `5m`, `1h`. */
export function readDuration(
  name: SettingName,
  value: string,
  { minMs, maxMs }: { minMs: number; maxMs: number },
): number {
  const match = /^(\d{1,9})(ms|s|m|h)$/.exec(value);
  const ms = match ? Number(match[1]) * unitMs[match[2] as keyof typeof unitMs] : Number.NaN;
  if (!(ms >= minMs && ms <= maxMs)) {
    throw new ConfigError(`${name} must be a duration such as 500ms, 30s, 5m or 1h, not "${value}".`);
  }
  return ms;
}

/** A private /16, as its first two numbers: `10.213`. */
export function readSubnet(value: string): string {
  const match = /^((?:10\.\d{1,3})|(?:172\.(?:1[6-9]|2\d|3[01]))|(?:192\.168))\.0\.0\/16$/.exec(value);
  if (!match || match[1]!.split('.').some((part) => Number(part) > 255)) {
    throw new ConfigError(`LILAC_INSTANCE_SUBNET must be a private /16 such as 10.213.0.0/16, not "${value}".`);
  }
  return match[1]!;
}
