import type { JsonSchema } from './json-schema.ts';

/** Whether the fields that may be left out are in the example too. */
export type Fullness = 'required' | 'all';

/** A value that the schema accepts: for the reference's examples, and for tests that call everything. */
export function exampleOf(schema: JsonSchema, fullness: Fullness = 'required', name = ''): unknown {
  const given = schema.examples?.[0] ?? schema.const ?? schema.default ?? schema.enum?.[0];
  if (given !== undefined) return given;
  if (schema.anyOf) return exampleOf(schema.anyOf[0]!, fullness, name);
  switch ([schema.type].flat()[0]) {
    case 'object':
      return objectExample(schema, fullness);
    case 'array':
      return schema.items && !Array.isArray(schema.items) ? [exampleOf(schema.items, fullness, name)] : [];
    case 'number':
    case 'integer':
      return 1;
    case 'boolean':
      return true;
    default:
      return textExample(schema, name);
  }
}

function objectExample(schema: JsonSchema, fullness: Fullness): Record<string, unknown> {
  const wanted = Object.entries(schema.properties ?? {}).filter(
    ([name]) => fullness === 'all' || schema.required?.includes(name),
  );
  return Object.fromEntries(wanted.map(([name, child]) => [name, exampleOf(child, fullness, name)]));
}

/** By the field's name, so that a reader sees what belongs there. */
const TEXTS: [RegExp, string][] = [
  [/organisationid$/i, 'org_01jd8q7v9me6n4x2k5t3w8ya7c'],
  [/^applicationid$/i, 'app_01jd8q7v9me6n4x2k5t3w8ya7c'],
  [/^(projectid|targetfolderid)$/i, 'fld_01jd8q7v9me6n4x2k5t3w8ya7c'],
  [/^environmentid$/i, 'env_01jd8q7v9me6n4x2k5t3w8ya7c'],
  [/^deploymentid$/i, 'dep_01jd8q7v9me6n4x2k5t3w8ya7c'],
  [/^databaseid$/i, 'db_01jd8q7v9me6n4x2k5t3w8ya7c'],
  [/^backupid$/i, 'bak_01jd8q7v9me6n4x2k5t3w8ya7c'],
  [/^queryid$/i, 'orders-of-today'],
  [/^statement$/i, 'select 1'],
  [/^table$/i, 'orders'],
  [/^uploadid$/i, 'upl_01jd8q7v9me6n4x2k5t3w8ya7c'],
  [/^vcsrepourl$/i, 'https://github.com/ada/website'],
  [/^owner$/i, 'ada'],
  [/^repo$/i, 'website'],
  [/branch$/i, 'main'],
  [/^(rootdirectory|path)$/i, 'apps/web'],
  [/outputdirectory$/i, 'dist'],
  [/buildcommand$/i, 'npm run build'],
  [/^startcommand$/i, 'npm start'],
  [/framework$/i, 'vite'],
  [/runtime$/i, 'node24'],
  [/^memory$/i, '512Mi'],
  [/^cpu$/i, '1'],
  [/^region$/i, 'local'],
  [/^(custom|new)?domain$/i, 'www.example.org'],
  [/^subdomain$/i, 'website'],
  [/^provider3repouuid$/i, '{5c1c1e0a-7f4e-4c0b-9d59-0a5b6a5f2d11}'],
  [/^contenttype$/i, 'application/zip'],
  [/^filename$/i, 'source.zip'],
  [/^userid$/i, 'usr_01jd8q7v9me6n4x2k5t3w8ya7c'],
  [/^keyid$/i, 'key_01jd8q7v9me6n4x2k5t3w8ya7c'],
  [/^(setup|invitation)token$/i, 'what-stands-after-#-in-the-link'],
  [/^state$/i, 'what-came-back-with-the-code'],
  [/^pendingtoken$/i, 'the-pending-token-of-the-first-step'],
  [/email$/i, 'ada@example.org'],
  [/password$/i, 'correct horse battery staple'],
  [/^firstname$/i, 'Ada'],
  [/name$/i, 'Example'],
  [/^code$/i, '123456'],
  [/^usercode$/i, 'BCDF-GHJK'],
  [/^client_id$/i, 'lilac-cli'],
  [/^grant_type$/i, 'urn:ietf:params:oauth:grant-type:device_code'],
];

function textExample({ format, minLength }: JsonSchema, name: string): string {
  if (format === 'date-time') return '2030-01-31T12:00:00Z';
  const fitting = TEXTS.find(([pattern]) => pattern.test(name))?.[1] ?? 'example';
  return fitting.padEnd(Number(minLength ?? 0), 'x');
}
