const ABOUT_CACHES = /^(?:[\w-]*cache-control|expires|surrogate-control|x-accel-expires):.*\r\n/gim;
/** What an application wishes for besides, and may have: it keeps caches from more, not from less. */
const STRICTER = ['no-store', 'no-transform'];

/**
 * The head of an answer behind a password: caches between here and the client must not give it to others,
 * who do not know the password. Each of its lines ends with CRLF.
 */
export function privateLines(lines: string): string {
  let stricter = '';
  const others = lines.replaceAll(ABOUT_CACHES, (line) => {
    for (const wish of STRICTER) if (line.toLowerCase().includes(wish)) stricter += `, ${wish}`;
    return '';
  });
  return `${others}Cache-Control: private, no-cache${stricter}\r\n`;
}
