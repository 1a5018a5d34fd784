import { networkVariables } from '../config/build-settings.ts';

/**
 * What of the platform's own variables no log may show, by names that no variable of an environment has:
 * all that the operator named, and who the machine is to its proxies. The redactor decides what could be a secret.
 */
export function hostSecrets(hostVariables: Readonly<Record<string, string>>): Record<string, string> {
  const secrets = Object.entries(hostVariables).flatMap(([name, value]) =>
    networkVariables.includes(name) ? credentialsIn(name, value) : [[`host ${name}`, value]],
  );
  return Object.fromEntries(secrets) as Record<string, string>;
}

/** As it is written in the address, and as a proxy is told it. */
function credentialsIn(name: string, value: string): [string, string][] {
  const url = URL.parse(value);
  if (!url?.password) return [];
  const written = `${url.username}:${url.password}`;
  return [
    [`host ${name} credential`, written],
    [`host ${name} credential, decoded`, decode(written)],
    [`host ${name} password`, url.password],
    [`host ${name} password, decoded`, decode(url.password)],
  ];
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
