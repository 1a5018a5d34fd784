/** What takes the place of a secret. */
export const REDACTED = '[redacted]';

const MIN_LENGTH = 6;
/** A name that speaks of secrets makes even a plain word one. */
const SECRET_NAME = /secret|token|key|pass|pwd|auth|credential|private|salt|dsn|signature|cookie|session|database_url/i;

/** Values that say nothing: striking them out would only make the log unreadable. */
const HARMLESS = [
  // Words: production, eu-central-1, My Shop
  /^[A-Za-z]+([ _-][A-Za-z]+)*([ _-]?\d{1,3})?$/,
  // Numbers and versions
  /^[\d.,:x-]{1,16}$/,
  /^v?\d+(\.\d+)*([.-][a-z]+)?$/i,
  // Paths
  /^(\.{0,2}\/)[\w@.+/-]*$/,
  // Addresses without a credential or a query
  /^(https?|wss?):\/\/[^\s/@?#]+(\/[\w@.+~/-]*)?$/,
  /^[a-z0-9-]+(\.[a-z0-9-]+)+(:\d+)?$/i,
];

/** Makes the function that strikes secrets out of a line, in the forms in which programs print them. */
export function createRedactor(variables: Readonly<Record<string, string>>): (line: string) => string {
  const forms = new Set(
    Object.entries(variables)
      .filter(couldBeSecret)
      .flatMap(([, value]) => formsOf(value)),
  );
  if (forms.size === 0) return (line) => line;
  // The longest first: a secret that begins with another must go whole.
  const inOrder = [...forms].toSorted((a, b) => b.length - a.length);
  const pattern = new RegExp(inOrder.map(escape).join('|'), 'g');
  return (line) => line.replaceAll(pattern, REDACTED);
}

function escape(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\/-]/g, String.raw`\$&`);
}

function couldBeSecret([name, value]: [string, string]): boolean {
  if (value.trim().length < MIN_LENGTH) return false;
  return SECRET_NAME.test(name) || !HARMLESS.some((pattern) => pattern.test(value.trim()));
}

function formsOf(value: string): string[] {
  const base64 = Buffer.from(value).toString('base64');
  const lines = value.split(/\r\n|\n|\r/).map((line) => line.trim());
  const forms = [
    value,
    value.trim(),
    ...lines,
    ...passwordsIn(value),
    base64,
    base64.replace(/=+$/, ''),
    Buffer.from(value).toString('base64url'),
    percentEncode(value),
    JSON.stringify(value).slice(1, -1),
  ];
  return forms.filter((form) => form.length >= MIN_LENGTH && !/[\n\r]/.test(form));
}

/** Of `postgresql://user:password@host`, the password is printed alone too. */
function passwordsIn(value: string): string[] {
  const password = URL.parse(value)?.password;
  if (!password) return [];
  try {
    return [password, decodeURIComponent(password)];
  } catch {
    return [password];
  }
}

/** A lone half of a character pair has no such form. */
function percentEncode(value: string): string {
  return encodeURIComponent(value.toWellFormed());
}
