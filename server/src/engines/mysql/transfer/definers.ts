/** What may come before DEFINER in a statement that makes a view, a trigger, an event or a routine. */
const BEFORE = String.raw`(?:\s|\/\*M?!\d*|\*\/|\/\*(?!M?!)[^*]*\*\/|\bcreate\b|\bor\b|\breplace\b|\balter\b|\balgorithm\s*=\s*\w+)*`;
const NAME = String.raw`(?:${'`'}(?:[^${'`'}]|${'``'})*${'`'}|'(?:[^']|'')*'|"(?:[^"]|"")*"|[\w$%.-]+)`;
const USER = String.raw`(?:current_user(?:\s*\(\s*\))?|${NAME}(?:\s*@\s*${NAME})?)`;
const DEFINER = new RegExp(String.raw`^(${BEFORE})\bdefiner\s*=\s*${USER}`, 'i');

/**
 * Takes out of a statement in whose name its view, trigger, event or routine works: an account of another server, which
 * is not here. Left out, it is whoever makes it.
 */
export function withoutDefiner(text: string): string {
  return text.replace(DEFINER, '$1');
}
