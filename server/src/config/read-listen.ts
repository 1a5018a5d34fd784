import { BlockList, isIP, isIPv4 } from 'node:net';
import { networkInterfaces } from 'node:os';
import { ConfigError } from './read-values.ts';

/** `10.0.0.7:7090`, `[fd00::7]:7090`, `host.example.org:7090`; or `10.0.0.0/24:7090`: this host's address in there. */
export function readListen(
  name: string,
  value: string | undefined,
  addresses: () => readonly string[] = ownAddresses,
): { host: string; port: number } | null {
  if (value === undefined) return null;
  const [, bracketed, plain, bits, port = ''] =
    /^(?:\[([0-9a-f:.]+)\]|([a-z0-9.-]+?)(?:\/(\d{1,2}))?):(\d{1,5})$/i.exec(value) ?? [];
  const host = bracketed ?? plain ?? '';
  const isHost = bracketed === undefined ? host !== '' : isIP(bracketed) === 6;
  const isRange = bits === undefined || (isIPv4(host) && Number(bits) <= 32);
  if (!isHost || !isRange || Number(port) < 1 || Number(port) > 65_535) {
    throw new ConfigError(
      `${name} ("${value}") must be an address and a port of this host, such as 10.0.0.7:7090, or a range that it has ` +
        'an address in, such as 10.0.0.0/24:7090.',
    );
  }
  if (bits === undefined) return { host, port: Number(port) };
  return { host: addressIn({ host, bits: Number(bits) }, addresses(), name), port: Number(port) };
}

function addressIn(range: { host: string; bits: number }, addresses: readonly string[], name: string): string {
  const list = new BlockList();
  list.addSubnet(range.host, range.bits, 'ipv4');
  const found = addresses.find((address) => isIPv4(address) && list.check(address));
  if (found !== undefined) return found;
  throw new ConfigError(
    `${name} names the range ${range.host}/${range.bits}, and this host has no address in it: ` +
      `it has ${addresses.join(', ')}.`,
  );
}

function ownAddresses(): string[] {
  const all = Object.values(networkInterfaces()).flatMap((each) => each ?? []);
  return all.map(({ address }) => address);
}
