/**
 * Whether the browser keeps cookies of this site: one is set, read and taken away again. Browsers that block a site's
 * data may still call cookies enabled.
 */
export function keepsCookies(): boolean {
  // A name of its own, since other tabs may look at the same moment.
  const name = `lilac_look_${crypto.getRandomValues(new Uint32Array(1))[0]}`;
  document.cookie = `${name}=1; SameSite=Strict`;
  const isKept = document.cookie.includes(name);
  document.cookie = `${name}=; SameSite=Strict; Max-Age=0`;
  return isKept;
}
