/** From here on there is no way back to any privilege; should memory run out, this goes first. */
export function asProgram(uid: number, argv: readonly string[]): string[] {
  const id = String(uid);
  const nothing = ['--no-new-privs', '--inh-caps', '-all', '--bounding-set', '-all'];
  return [
    'setpriv',
    '--reuid',
    id,
    '--regid',
    id,
    '--clear-groups',
    ...nothing,
    '--',
    'choom',
    '-n',
    '1000',
    '--',
    ...argv,
  ];
}
