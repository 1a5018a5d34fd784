import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { describeAccess, severityOfAccess } from './access-line.ts';

const facts = { method: 'GET', target: '/', status: 200, ms: 12.4, bytes: 3421, instanceId: null };

describe('the line of a request', () => {
  it.each([
    [{ target: '/cart' }, 'GET /cart 200 12ms 3421B'],
    [{ target: '/cart?token=secret&next=/' }, 'GET /cart 200 12ms 3421B'],
    [{ target: '/cart#token=secret' }, 'GET /cart 200 12ms 3421B'],
    [{ target: '/cart;jsessionid=secret' }, 'GET /cart 200 12ms 3421B'],
    [{ target: '/a', instanceId: 'ins_1' }, 'GET /a 200 12ms 3421B ins_1'],
    [{ target: '/gone', status: 0, bytes: 0 }, 'GET /gone - 12ms 0B'],
    [{ target: '*', method: 'OPTIONS', status: 204 }, 'OPTIONS * 204 12ms 3421B'],
    [{ target: '/caf\u00e9\u001b[31m' }, 'GET /caf%E9%1B[31m 200 12ms 3421B'],
  ])('%o', (change, line) => {
    expect(describeAccess({ ...facts, ...change })).toBe(line);
  });

  it('is one line of plain words, whatever is asked for', () => {
    const byte = fc.integer({ min: 0, max: 255 }).map((code) => String.fromCharCode(code));
    fc.assert(
      fc.property(fc.string({ unit: byte, maxLength: 3000 }), (text) => {
        const line = describeAccess({ ...facts, target: `/${text}` });
        expect(line).toMatch(/^GET \/[!-~]* 200 12ms 3421B$/);
        expect(line).not.toContain('?');
        expect(line.length).toBeLessThan(3200);
      }),
    );
  });

  it.each([
    [200, 'INFO'],
    [0, 'WARN'],
    [404, 'INFO'],
    [499, 'INFO'],
    [500, 'ERROR'],
    [504, 'ERROR'],
  ])('of %d is %s', (status, severity) => {
    expect(severityOfAccess(status)).toBe(severity);
  });
});
