/**
 * For every answer. A page that needs more (the console, the reference) sets its own policy over these. Whether
 * browsers are to come by https only is the edge's to say: it knows which certificate they were shown.
 */
export function securityHeaders(): Record<string, string> {
  return {
    'cache-control': 'no-store',
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    'cross-origin-resource-policy': 'same-origin',
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
  };
}
