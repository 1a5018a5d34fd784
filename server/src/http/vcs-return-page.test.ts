import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { renderReturnPage } from './vcs-return-page.ts';

describe('the page that a browser comes back to', () => {
  const evil = `"><script>alert('x')</script>&`;
  const page = renderReturnPage({ title: evil, paragraphs: [evil], link: { href: evil, text: evil } });

  it('shows whatever it is given as text', () => {
    expect(page.html).not.toContain('<script');
    expect(page.html).not.toContain(`"><`);
    expect(page.html).toContain('&quot;&gt;&lt;script&gt;alert(&#39;x&#39;)&lt;/script&gt;&amp;');
  });

  it("shows whose page it is, as the console's pages do", () => {
    expect(page.html).toMatch(/<svg [\s\S]*<span>Lilac<\/span>/);
  });

  it('allows its own style and nothing else', () => {
    const style = /<style>([\s\S]*)<\/style>/.exec(page.html)![1]!;
    const hash = createHash('sha256').update(style).digest('base64');
    expect(page.contentSecurityPolicy).toBe(
      `default-src 'none'; style-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
    );
  });
});
