import { describe, expect, it } from 'vitest';
import { chooseNameServers } from './name-servers.ts';

describe('who resolves names for instances', () => {
  it('is whom the host asks, with the host’s own file', () => {
    expect(chooseNameServers('nameserver 192.0.2.1\nnameserver 192.0.2.2\n', '')).toEqual({
      servers: ['192.0.2.1', '192.0.2.2'],
      text: null,
    });
  });

  it('is whom a resolver on loopback asks, and search domains stay', () => {
    const host = '# systemd\nnameserver 127.0.0.53\noptions edns0 trust-ad\nsearch example.com\n';
    expect(chooseNameServers(host, 'nameserver 192.0.2.53\nnameserver fe80::1\n')).toEqual({
      servers: ['192.0.2.53'],
      text: 'nameserver 192.0.2.53\noptions edns0 trust-ad\nsearch example.com\n',
    });
  });

  it('leaves out what only IPv6 reaches', () => {
    expect(chooseNameServers('nameserver ::1\nnameserver 2001:db8::1\nnameserver 192.0.2.1', '').servers).toEqual([
      '192.0.2.1',
    ]);
  });

  it('is nobody where only loopback is named, or nothing', () => {
    expect(chooseNameServers('nameserver 127.0.0.1', '').servers).toEqual([]);
    expect(chooseNameServers('', '').servers).toEqual([]);
  });
});
