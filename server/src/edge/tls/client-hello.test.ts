import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { connect } from 'node:tls';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readClientHello } from './client-hello.ts';

/** What a real client says first. */
async function helloOf(options: object): Promise<Buffer> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const client = connect({ port, host: '127.0.0.1', ...options }).on('error', () => {});
  const [socket] = (await once(server, 'connection')) as [Socket];
  const [hello] = (await once(socket, 'data')) as [Buffer];
  client.destroy();
  server.close();
  return hello;
}

const inRecords = (hello: Buffer, bytes: number): Buffer => {
  const records: Buffer[] = [];
  for (let at = 5; at < hello.length; at += bytes) {
    const part = hello.subarray(at, at + bytes);
    records.push(Buffer.from([22, 3, 1, part.length >> 8, part.length & 0xff]), part);
  }
  return Buffer.concat(records);
};

describe('the name that a client asks for', () => {
  it.each(['TLSv1.2', 'TLSv1.3'])('is read of a real hello, however it is cut (%s)', async (maxVersion) => {
    const hello = await helloOf({ servername: 'Www.Example.org', maxVersion });
    expect(readClientHello(hello)).toEqual({ servername: 'Www.Example.org' });
    for (let end = 0; end < hello.length; end++) expect(readClientHello(hello.subarray(0, end))).toBe('incomplete');
    for (const size of [1, 7, 100]) {
      expect(readClientHello(inRecords(hello, size))).toEqual({ servername: 'Www.Example.org' });
    }
  });

  it('may be none', async () => {
    expect(readClientHello(await helloOf({ servername: '' }))).toEqual({ servername: undefined });
  });

  it('is not looked for in what is no hello', async () => {
    const hello = await helloOf({ servername: 'www.example.org' });
    const broken = (at: number, byte: number) => Buffer.from(hello).fill(byte, at, at + 1);
    expect(readClientHello(Buffer.from('GET / HTTP/1.1\r\n'))).toBe('malformed');
    expect(readClientHello(broken(5, 2))).toBe('malformed');
    expect(readClientHello(broken(1, 2))).toBe('malformed');
    // Longer than any: it is not waited for.
    expect(readClientHello(broken(6, 1))).toBe('malformed');
    // The session's id would go beyond the end.
    expect(readClientHello(broken(43, 255))).toMatch(/malformed/);
  });

  it('is never looked for beyond the end, whatever comes', () => {
    const bytes = fc.uint8Array({ maxLength: 300 });
    fc.assert(
      fc.property(bytes, (content) => {
        const message = Buffer.from([1, 0, content.length >> 8, content.length & 0xff, ...content]);
        const record = Buffer.from([22, 3, 1, message.length >> 8, message.length & 0xff, ...message]);
        const read = readClientHello(record);
        expect(read === 'malformed' || typeof read === 'object').toBe(true);
      }),
    );
  });
});
