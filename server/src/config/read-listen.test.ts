import { describe, expect, it } from 'vitest';
import { ConfigError } from './read-values.ts';
import { readListen } from './read-listen.ts';

const read = (value: string, own: readonly string[] = ['127.0.0.1', '203.0.113.7', '10.0.0.7']) =>
  readListen('LILAC_API_LISTEN', value, () => own);

describe('where the api listens for edges of other hosts', () => {
  it('is an address, or a name, and a port', () => {
    expect(read('10.0.0.7:7090')).toEqual({ host: '10.0.0.7', port: 7090 });
    expect(read('[fd00::7]:7090')).toEqual({ host: 'fd00::7', port: 7090 });
    expect(read('host.example.org:7090')).toEqual({ host: 'host.example.org', port: 7090 });
    expect(readListen('LILAC_API_LISTEN', undefined)).toBeNull();
  });

  it('is the address that the host has in the named range', () => {
    expect(read('10.0.0.0/24:7090')).toEqual({ host: '10.0.0.7', port: 7090 });
    expect(() => read('10.0.5.0/24:7090')).toThrow(/no address in it: it has 127\.0\.0\.1, 203\.0\.113\.7/);
  });

  it.each(['10.0.0.7', '7090', '10.0.0.0/33:7090', 'host.example.org/24:7090', '10.0.0.7:0', '10.0.0.7:65536'])(
    'is not %s',
    (value) => expect(() => read(value)).toThrow(ConfigError),
  );
});
